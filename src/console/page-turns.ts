import type { UserTurns } from '../http/middleware/own-turn';
import type { Bounds } from '../platform/config/bounds';
import type { UserId } from '../platform/ids';
import { createTurnsByKey } from '../platform/turns-by-key';

/** A page may run nine statements at once, which count thousands of rows; a browser asks for six pages at once. */
const PAGES = { atOnce: 2, mostWaiting: 100, longestWaitMs: 20_000 };

/** The turns of each user for pages of the console, so that no user's pages hold every connection to Postgres. */
export function createPageTurns(bounds: Bounds): UserTurns {
  const turns = createTurnsByKey<UserId>(PAGES);
  const limit = PAGES.atOnce + PAGES.mostWaiting;
  return { turns, bound: bounds.declare('pages_of_a_user', { limit, used: () => turns.most() }) };
}
