import type { TimeFilter } from '../platform/ids';
import { parseInstant } from '../platform/text/instant';

/** Which rows of a list are wanted: those that one request made, in a time. */
export interface MadeBy extends TimeFilter {
  readonly requestId?: string;
}

interface TimeQuery {
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

/** `since`, `until` and `request_id` of the query of a list, whose shape was checked. */
export function madeBy(given: TimeQuery & { readonly request_id?: string | undefined }): MadeBy {
  return {
    ...timeOf(given),
    ...(given.request_id === undefined ? {} : { requestId: given.request_id }),
  };
}

/** `since` and `until` alone. */
export function timeOf(given: TimeQuery): TimeFilter {
  const [since, until] = [momentOf(given.since), momentOf(given.until)];
  return { ...(since && { since }), ...(until && { until }) };
}

/** No row is older or newer; Postgres would not read the years beside them as JavaScript writes them. */
const [FIRST_MS, LAST_MS] = [0, Date.UTC(9999, 0)];

function momentOf(text: string | undefined): Date | undefined {
  const moment = text === undefined ? undefined : parseInstant(text);
  return moment && new Date(Math.min(Math.max(moment.getTime(), FIRST_MS), LAST_MS));
}
