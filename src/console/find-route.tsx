import type { Route } from '../http/route';
import type { Sql } from '../platform/db/client';
import { type ConsoleDeps, consolePage, OtherPage, type PageRequest } from './console-route';
import { type FoundEntry, FoundPage } from './pages/found';
import type { StoreEntry } from './pages/stores';
import { pageOfUrl, pathOfItem } from './page-of-url';
import { listNewestMessages, withItems } from './with-items';

interface FindDeps extends ConsoleDeps {
  readonly sql: Sql;
}

const LISTED_STORES = 20;
const MAY_BE_ITEM: ReadonlySet<FoundEntry['kind']> = new Set(['item', 'store', 'inventory_system']);

/** What was typed into Find. With `store`, an item of the stores that are called so. */
export const FIND_PAGE: Route<FindDeps> = consolePage({
  id: 'find',
  path: '/console/find',
  section: 'overview',
  stays: true,
  summary: 'What an id or words of a name may mean; of one thing its page',
  async show({ sql }: FindDeps, request) {
    const { filter, frame, viewer } = request;
    const sought = (filter['q'] ?? '').trim();
    const storeName = filter['store'];
    const found = await search(request, sought);
    const [only] = found;
    if (storeName === undefined && only && found.length === 1) return new OtherPage(only.path);
    // An item may be called like a store; an id of ours names no item.
    const isItem = found.every(({ kind }) => MAY_BE_ITEM.has(kind));
    const [stores, messages] = isItem
      ? await Promise.all([
          storesOf(request, storeName),
          listNewestMessages(request, { external_id: sought }).then((rows) =>
            withItems(sql, viewer, rows),
          ),
        ])
      : [[], null];
    const [onlyStore] = stores;
    if (storeName !== undefined && onlyStore && stores.length === 1) {
      return new OtherPage(pathOfItem(onlyStore.id, sought));
    }
    return (
      <FoundPage
        frame={frame('Find')}
        {...{ sought, found, messages, stores }}
        storeName={storeName ?? null}
      />
    );
  },
});

/** With the page of each; that of an item shows where else it is. */
async function search({ ask }: PageRequest, sought: string) {
  const { data } = await ask('search', { query: { q: sought } });
  return (data as FoundEntry[]).flatMap((entry) => {
    const storeId = /[?&]store_id=(\d+)/.exec(entry.url)?.[1];
    const path =
      entry.kind === 'item' && storeId ? pathOfItem(storeId, entry.id) : pageOfUrl(entry.url);
    return path === null ? [] : [{ ...entry, path }];
  });
}

/** The stores in whose menus the item may be: those that are called so, or all of a viewer who sees only a few. */
async function storesOf(
  { ask }: PageRequest,
  name: string | undefined,
): Promise<readonly StoreEntry[]> {
  const query = { limit: String(LISTED_STORES), ...(name !== undefined && { q: name }) };
  const { data, next_cursor: next } = await ask('listStores', { query });
  return name === undefined && next ? [] : (data as StoreEntry[]);
}
