import type { TimeFilter } from '../platform/ids';
import { parseInstant } from '../platform/text/instant';

/** Which rows of a list are wanted: those that one request made, in a time. */
export interface MadeBy extends TimeFilter {
  readonly requestId?: string;
}

/** `since`, `until` and `request_id` of the query of a list, whose shape was checked. */
export function madeBy(given: {
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly request_id?: string | undefined;
}): MadeBy {
  const [since, until] = [momentOf(given.since), momentOf(given.until)];
  return {
    ...(since && { since }),
    ...(until && { until }),
    ...(given.request_id === undefined ? {} : { requestId: given.request_id }),
  };
}

/** No row is older or newer; Postgres would not read the years beside them as JavaScript writes them. */
const [FIRST_MS, LAST_MS] = [0, Date.UTC(9999, 0)];

function momentOf(text: string | undefined): Date | undefined {
  const moment = text === undefined ? undefined : parseInstant(text);
  return moment && new Date(Math.min(Math.max(moment.getTime(), FIRST_MS), LAST_MS));
}
