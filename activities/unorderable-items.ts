import { ITEM_UNORDERABLE } from '../src/availability/availability';
import { type ItemResult, recordItems } from '../src/availability/sql/calls';
import {
  type ChangeNote,
  findLiveOffSale,
  listEndingChanges,
} from '../src/availability/sql/unorderable';
import { storeFactsOf } from '../src/delivery-apps/types';
import { quoteValue } from '../src/platform/text/quote-value';
import type { MenuActivityDeps } from './activity-deps';
import { storeKey } from './app-context';
import type { QueueContext } from './availability-context';

type Deps = Pick<MenuActivityDeps, 'sql' | 'documents' | 'menus' | 'settings'>;

/** Of more items that cannot be ordered, nobody would read the names. */
const MOST_NAMED = 20;

/**
 * Records results of items as `recordItems` does. A change that ends with them says which items cannot be ordered any
 * more, as too few of their options are on sale.
 */
export async function recordAndSay(
  deps: Deps,
  queue: QueueContext,
  results: readonly ItemResult[],
): Promise<number> {
  return recordItems(deps.sql, queue.ref, results, await findNotes(deps, queue, results));
}

async function findNotes(
  deps: Deps,
  { ref, app, target }: QueueContext,
  results: readonly ItemResult[],
): Promise<readonly ChangeNote[]> {
  const ending = await listEndingChanges(deps.sql, results);
  if (ending.length === 0) return [];
  const live = await findLiveOffSale(deps.sql, ref);
  if (!live || live.payloadSha256 === null) return [];
  const { countryCode, itemIds, off } = live;
  const ids = await deps.menus.by(storeKey(ref)).unorderable({
    app: app.name,
    text: await deps.documents.read(live.payloadSha256),
    itemIds,
    // Postgres gives lists of its own kind, which may not go to a thread.
    off: [...off],
    offByChange: ending.map((change) => [...change.off]),
    most: MOST_NAMED,
    store: storeFactsOf({ ...target, countryCode }),
    priceUnit: deps.settings.APP_A_PRICE_UNIT,
    sentMenus: [],
  });
  return ending.flatMap(({ changeId }, at) => {
    const sentences = (ids[at] ?? []).map((id) => `${ITEM_UNORDERABLE}: ${quoteValue(id)}`);
    return sentences.length > 0 ? [{ changeId, sentences }] : [];
  });
}
