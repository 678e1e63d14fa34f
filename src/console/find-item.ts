import { listUnavailableOfItems } from '../availability/sql/views';
import { ITEM_SEARCH_WORDS } from '../contract/plain-words';
import type { MenuDocument } from '../menus/menu';
import type { Sql } from '../platform/db/client';
import { AppError } from '../platform/errors';
import { LARGEST_PAGE, type PageRequest } from './console-route';
import { matcherOf, narrowMenu } from './narrow-menu';
import type { MenuInApp, NewerMenu, OffSaleEntry, SoughtItem } from './pages/store-menu';
import type { StoreEntry } from './pages/stores';
import { listNewestMessages, type Messages, newestOf, withItems } from './with-items';
import { listAppFacts } from './sql/store-apps';

/** As long as what the search takes. */
export const LONGEST_SOUGHT = 255;
/** Items whose messages are listed; a word that many are called by is no item. */
const MOST_ITEMS = 3;

interface Deps {
  readonly sql: Sql;
}

interface Found {
  readonly menus: readonly MenuInApp[];
  readonly offSale: readonly OffSaleEntry[];
  readonly sought: SoughtItem;
}

/** Where an item is in the menus of a store, why it is not where it is missing, and what stock systems were told of it. */
export async function findItem(
  deps: Deps,
  request: PageRequest,
  {
    store,
    menus,
    typed,
  }: {
    readonly store: StoreEntry;
    readonly menus: readonly MenuInApp[];
    readonly typed: string;
  },
): Promise<Found> {
  const narrowed = menus.map((menu) =>
    'problem' in menu ? { ...menu, itemIds: [] } : { live: menu.live, ...narrowMenu(menu, typed) },
  );
  const ids = [...new Set(narrowed.flatMap(({ itemIds }) => itemIds))];
  // What was typed may be the id of an item that no menu has any more.
  const askedIds = [...new Set([typed, ...ids.slice(0, MOST_ITEMS)])];
  const missing = narrowed.filter(({ itemIds: own }) => own.length === 0);
  const [offSale, newer, messages] = await Promise.all([
    listUnavailableOfItems(deps.sql, store.id, [typed, ...ids]),
    missing.length === 0
      ? new Map<string, NewerMenu>()
      : findNewer(deps, request, store, { missing, typed }),
    readItemMessages(deps, request, store, askedIds),
  ]);
  return {
    menus: narrowed,
    offSale: offSale.map((each) => ({
      external_id: each.externalId,
      integration_id: String(each.integrationId),
      source: each.source,
      state: each.state,
      since: each.since,
      until: each.until,
    })),
    sought: { typed, newer, messages },
  };
}

/** The menus that were not taken, or that are on their way, and have the item; the newest of each app. */
async function findNewer(
  { sql }: Deps,
  request: PageRequest,
  store: StoreEntry,
  { missing, typed }: { readonly missing: readonly MenuInApp[]; readonly typed: string },
): Promise<Map<string, NewerMenu>> {
  const facts = await listAppFacts(sql, store.id, Number(LARGEST_PAGE.limit));
  const newer = new Map<string, NewerMenu>();
  // One after another, as each takes the memory of a whole menu.
  for (const { live } of missing) {
    const of = facts.find(({ integrationId }) => String(integrationId) === live.integration_id);
    const failedId = of?.lastState === 'failed' ? of.lastId : null;
    const uploadId = of?.openId ?? failedId ?? null;
    if (uploadId !== null && (await hasItem(request, uploadId, typed))) {
      const words = of?.openId ? ITEM_SEARCH_WORDS.in_waiting : ITEM_SEARCH_WORDS.in_failed;
      newer.set(live.integration_id, { uploadId, words });
    }
  }
  return newer;
}

/** Whether the menu of an upload was sent with such an item; no, where it is too large for a page. */
async function hasItem({ ask }: PageRequest, uploadId: string, typed: string): Promise<boolean> {
  const isCalledSo = matcherOf(typed);
  try {
    const { data } = await ask('getUploadMenu', { params: { upload_id: uploadId } });
    const { items } = data as Pick<MenuDocument, 'items'>;
    return items.some(({ external_id: id, name }) => isCalledSo(id, name));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return false;
  }
}

/** The newest stock movements of these items in a store. */
async function readItemMessages(
  { sql }: Deps,
  request: PageRequest,
  store: StoreEntry,
  itemIds: readonly string[],
): Promise<Messages> {
  const ofStore = { store_id: String(store.id) };
  const lists = await Promise.all(
    itemIds.map((id) => listNewestMessages(request, { ...ofStore, external_id: id })),
  );
  return withItems(sql, request.viewer, newestOf(lists));
}
