import { HiddenFields, Links, withFilter } from '../controls';
import { Page, type PageFrame } from '../page';
import { pathOfItem } from '../page-of-url';
import { State, Table } from '../parts';
import type { Messages } from '../with-items';
import { DeliveryTable } from './deliveries';
import type { StoreEntry } from './stores';

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

/** More than one thing, or none; or an item, of which stores and messages are shown. */
export function FoundPage({
  frame,
  sought,
  found,
  messages,
  stores,
  storeName,
}: {
  readonly frame: PageFrame;
  readonly sought: string;
  /** With the page of each. */
  readonly found: readonly (FoundEntry & { readonly path: string })[];
  /** The newest stock movements of an item with this id; null: it is no item. */
  readonly messages: Messages | null;
  /** In whose menus the item may be. */
  readonly stores: readonly StoreEntry[];
  /** What the stores were asked for; null: nothing. */
  readonly storeName: string | null;
}) {
  return (
    <Page frame={frame}>
      <p class="quiet">
        Found are stores, inventory systems (by words of their name, or their id), what a delivery
        app calls a store, ids of uploads, messages, rollouts and requests, items that are off sale
        and messages about an item, by its id.
      </p>
      {(found.length > 0 || messages === null || messages.deliveries.length === 0) && (
        <Table
          caption={`What “${sought}” may be, the closest first`}
          none={`Nothing that you may see is “${sought}”, unless it is in a menu.`}
          rows={found}
          columns={[
            { title: 'What', cell: (row) => KINDS[row.kind] },
            { title: 'Name', cell: (row) => <a href={row.path}>{row.title}</a> },
            { title: 'Id', cell: (row) => row.id },
            { title: 'State', cell: ({ state }) => (state ? <State name={state} /> : '–') },
          ]}
        />
      )}
      {messages && (
        <>
          <InMenus {...{ sought, stores, storeName }} />
          {messages.deliveries.length > 0 && (
            <section>
              <h2>Messages to stock systems about an item with this id</h2>
              <DeliveryTable
                caption={`Stock movements of ${sought}, newest first`}
                none=""
                {...messages}
              />
              <Links
                to={[[withFilter('/console/deliveries', { external_id: sought }), 'All of them']]}
              />
            </section>
          )}
        </>
      )}
    </Page>
  );
}

/** Menus are looked into store by store: there is no list of all the items of all stores. */
function InMenus({
  sought,
  stores,
  storeName,
}: {
  readonly sought: string;
  readonly stores: readonly StoreEntry[];
  readonly storeName: string | null;
}) {
  return (
    <section>
      <h2>Is it an item of a menu?</h2>
      <form method="get" action="/console/find" class="filter">
        <HiddenFields fields={{ q: sought }} />
        <label>
          {`Look for “${sought}” in the menus of `}
          <input
            name="store"
            value={storeName ?? undefined}
            placeholder="Store, by its name or id"
            maxLength={255}
            required
          />
        </label>
        <button type="submit">Look for it</button>
      </form>
      {storeName !== null && stores.length === 0 && (
        <p class="none">{`No store that you may see is called “${storeName}”.`}</p>
      )}
      <Links to={stores.map(({ id, name }) => [pathOfItem(id, sought), `In ${name}`])} />
    </section>
  );
}
