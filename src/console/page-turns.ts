import { createRequestTurns, type RequestTurnDeps, type RequestTurns } from '../http/request-turns';
import type { UserId } from '../platform/ids';

/** A page may run nine statements at once, which count thousands of rows; a browser asks for six pages at once. */
const PAGES = { atOnce: { ofKey: 2 }, waiting: { ofKey: 100 }, longestWaitMs: 20_000 };

/** The turns of each user for pages of the console, so that no user's pages hold every connection to Postgres. */
export function createPageTurns(deps: RequestTurnDeps): RequestTurns<UserId> {
  return createRequestTurns('pages_of_a_user', PAGES, deps);
}
