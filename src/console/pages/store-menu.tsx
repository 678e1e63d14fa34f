import type { Shown } from '../../delivery-apps/shown';
import type { Loss } from '../../delivery-apps/types';
import {
  DRIFT_WORDS,
  ITEM_SEARCH_WORDS,
  type PlainWords,
  TROUBLE_WORDS,
} from '../../contract/plain-words';
import { Links, withFilter } from '../controls';
import { IntegrationLink, integrationWords } from '../names';
import { Page, type PageFrame } from '../page';
import { IdLink, When } from '../parts';
import type { PictureLink } from '../picture-links';
import { type OffSale, ShownMenu } from '../shown-menu';
import type { Messages } from '../with-items';
import { Verdict } from '../verdict';
import type { UnavailableEntry } from './availability';
import { DeliveryTable } from './deliveries';
import type { LiveEntry, StoreEntry, StoreIntegration } from './stores';

/** What one delivery app shows of a store, or why that cannot be said. */
export type MenuInApp =
  | { readonly live: LiveEntry; readonly shown: Shown; readonly losses: readonly Loss[] }
  | { readonly live: LiveEntry; readonly problem: string };

/** What the page shows of an item that is off sale. */
export type OffSaleEntry = Pick<
  UnavailableEntry,
  'external_id' | 'integration_id' | 'source' | 'state' | 'since' | 'until'
>;

/** What somebody looks for in the menus of a store. */
export interface SoughtItem {
  /** As it was typed. */
  readonly typed: string;
  /** Upload that a menu without the item waits for, or that failed, by integration: it has the item. */
  readonly newer: ReadonlyMap<string, NewerMenu>;
  readonly messages: Messages;
}

export interface NewerMenu {
  readonly uploadId: string;
  readonly words: PlainWords;
}

/** The form that looks for an item in the menus of a store. */
export function ItemSearch({
  storeId,
  typed,
}: {
  readonly storeId: number;
  readonly typed?: string;
}) {
  return (
    <search>
      <form method="get" action={`/console/stores/${storeId}/menu`} class="filter">
        <label>
          Item in the menus{' '}
          <input name="item" value={typed} placeholder="Its name or id" maxLength={255} required />
        </label>
        <button type="submit">Look for it</button>
      </form>
    </search>
  );
}

/** Items of all apps together; a longer page would not be read to its end. */
const MOST_ITEMS = 500;

/** The live menu of a store in each delivery app, side by side, as guests see it. */
export function StoreMenuPage({
  frame,
  store,
  integrations,
  menus,
  others,
  offSale,
  isOffSaleCut,
  pictureLink,
  sought,
}: {
  readonly frame: PageFrame;
  readonly store: StoreEntry;
  readonly integrations: readonly StoreIntegration[];
  readonly menus: readonly MenuInApp[];
  /** Apps for which the page has no room. */
  readonly others: readonly LiveEntry[];
  readonly offSale: readonly OffSaleEntry[];
  /** More are off sale than are marked. */
  readonly isOffSaleCut: boolean;
  readonly pictureLink: PictureLink;
  /** Null: the menus are shown whole. */
  readonly sought: SoughtItem | null;
}) {
  const mostItems = Math.ceil(MOST_ITEMS / Math.max(1, menus.length));
  const nameOf = ({ integration_id: id }: LiveEntry) =>
    integrations.find((each) => each.integration_id === id);
  return (
    <Page frame={frame}>
      <p>
        Store <a href={`/console/stores/${store.id}`}>{store.name}</a>, as the service sent its
        menus; what an app shows otherwise stands under “Read back” on the store’s page.
      </p>
      <ItemSearch storeId={store.id} {...(sought && { typed: sought.typed })} />
      {sought && (
        <Links
          to={[
            [`/console/stores/${store.id}/menu`, 'The whole menus'],
            ...(offSale.length === 0
              ? []
              : [[`/console/availability?store_id=${store.id}`, 'Put it back on sale'] as const]),
          ]}
        />
      )}
      {isOffSaleCut && (
        <p>
          More items are off sale than are marked here:{' '}
          <a href={`/console/availability?store_id=${store.id}`}>all of them</a>.
        </p>
      )}
      {menus.length === 0 && <p class="none">The store is connected to no delivery app.</p>}
      <div class="apps">
        {menus.map((menu) => (
          <section key={menu.live.integration_id}>
            <h2>
              <IntegrationLink id={menu.live.integration_id} name={nameOf(menu.live)} />
            </h2>
            {menu.live.upload_id !== null && (
              <p class="none">
                Live since <When at={menu.live.live_since} />,{' '}
                <IdLink path="/console/uploads" id={menu.live.upload_id} />
              </p>
            )}
            <OtherThanSent
              {...{ live: menu.live, store }}
              isPaused={Boolean(nameOf(menu.live)?.paused)}
            />
            {sought && <Missing {...{ menu, sought }} />}
            {'problem' in menu ? (
              <p class="none">{menu.problem}</p>
            ) : (
              <ShownMenu
                isPart={sought !== null}
                shown={menu.shown}
                losses={menu.losses}
                offSale={offSaleIn(menu.live, offSale)}
                level={3}
                {...{ mostItems, pictureLink }}
              />
            )}
          </section>
        ))}
      </div>
      {sought && <MessagesOf {...{ sought, store }} />}
      <Links
        to={others.flatMap((entry) => {
          const { integration_id: id, upload_id: uploadId } = entry;
          const name = nameOf(entry);
          const words = name ? integrationWords(id, name) : `Integration ${id}`;
          return uploadId === null ? [] : [[`/console/uploads/${uploadId}/shown`, words] as const];
        })}
      />
    </Page>
  );
}

/** What keeps guests from what the menu says: the store is paused, or somebody changed the menu in the app. */
function OtherThanSent({
  live,
  store,
  isPaused,
}: {
  readonly live: LiveEntry;
  readonly store: StoreEntry;
  readonly isPaused: boolean;
}) {
  return (
    <>
      {isPaused && <Verdict tone="warn" what="The store is paused." words={TROUBLE_WORDS.paused} />}
      {live.drift.state === 'changed' && (
        <Verdict
          tone="warn"
          what="The app no longer shows what was sent."
          words={DRIFT_WORDS.changed}
          said={<a href={`/console/stores/${store.id}`}>The differences</a>}
        />
      )}
    </>
  );
}

/** What stock systems were told about the item. */
function MessagesOf({
  sought: { typed, messages },
  store,
}: {
  readonly sought: SoughtItem;
  readonly store: StoreEntry;
}) {
  return (
    <section>
      <h2>What stock systems were told about it</h2>
      <DeliveryTable
        caption={`Stock movements of “${typed}” in this store, newest first`}
        none="No stock movement of it was sent, as far as is kept."
        isOfStore
        {...messages}
      />
      <Links
        to={itemIdsOf(messages).map((id) => [
          withFilter('/console/deliveries', { store_id: String(store.id), external_id: id }),
          `All messages about ${id}`,
        ])}
      />
    </section>
  );
}

function itemIdsOf({ carried }: Messages): readonly string[] {
  return [...new Set([...carried.values()].flatMap(({ externalId: id }) => (id ? [id] : [])))];
}

/** Why what was looked for is not in the menu of an app; nothing where it is. */
function Missing({ menu, sought }: { readonly menu: MenuInApp; readonly sought: SoughtItem }) {
  if ('shown' in menu && menu.shown.menus.length + menu.shown.modifier_groups.length > 0)
    return null;
  const words = whyMissing(menu, sought);
  if (words === null) return null;
  const newer = sought.newer.get(menu.live.integration_id);
  return (
    <Verdict
      tone="warn"
      what={`Guests of this app do not see “${sought.typed}”.`}
      words={words}
      said={newer && <a href={`/console/uploads/${newer.uploadId}`}>The menu that has it</a>}
    />
  );
}

/** Null: it cannot be said, as the menu is too large for a page. */
function whyMissing(menu: MenuInApp, { newer }: SoughtItem): PlainWords | null {
  if ('losses' in menu && menu.losses.length > 0) return ITEM_SEARCH_WORDS.lost;
  const inNewer = newer.get(menu.live.integration_id);
  if (inNewer) return inNewer.words;
  if (menu.live.upload_id === null) return ITEM_SEARCH_WORDS.nothing_live;
  return 'problem' in menu ? null : ITEM_SEARCH_WORDS.not_in_menu;
}

/** The items that are off sale in one app. */
function offSaleIn({ integration_id: id }: LiveEntry, all: readonly OffSaleEntry[]): OffSale {
  const own = all.filter((each) => each.integration_id === id);
  return new Map(own.map((each) => [each.external_id, each]));
}
