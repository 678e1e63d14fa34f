import { Page, type PageFrame } from '../page';
import { State, Table } from '../parts';

/** What a search has found, as the API answers it. */
export interface FoundEntry {
  readonly kind: 'store' | 'upload' | 'delivery' | 'rollout' | 'inventory_system' | 'item';
  readonly id: string;
  readonly title: string;
  readonly state: string | null;
  readonly url: string;
}

const KINDS: Readonly<Record<FoundEntry['kind'], string>> = {
  store: 'store',
  upload: 'menu upload',
  delivery: 'message',
  rollout: 'rollout',
  inventory_system: 'inventory system',
  item: 'item off sale',
};

/** More than one thing, or none. */
export function FoundPage({
  frame,
  sought,
  found,
}: {
  readonly frame: PageFrame;
  readonly sought: string;
  /** With the page of each. */
  readonly found: readonly (FoundEntry & { readonly path: string })[];
}) {
  return (
    <Page frame={frame}>
      <p class="quiet">
        Found are stores, inventory systems (by words of their name, or their id), what a delivery
        app calls a store, ids of uploads, messages, rollouts and requests, and items that are off
        sale.
      </p>
      <Table
        caption={`What “${sought}” may be, the closest first`}
        none={`Nothing that you may see is “${sought}”.`}
        rows={found}
        columns={[
          { title: 'What', cell: (row) => KINDS[row.kind] },
          { title: 'Name', cell: (row) => <a href={row.path}>{row.title}</a> },
          { title: 'Id', cell: (row) => row.id },
          { title: 'State', cell: ({ state }) => (state ? <State name={state} /> : '–') },
        ]}
      />
    </Page>
  );
}
