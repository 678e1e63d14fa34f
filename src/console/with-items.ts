import type { Sql } from '../platform/db/client';
import type { Viewer } from '../users/sql/users';
import type { PageRequest } from './console-route';
import type { DeliveryEntry } from './pages/deliveries';
import { type CarriedItems, listCarriedItems } from './sql/carried-items';
import { type Names, nameRows } from './sql/names';

/** Messages with what a row of a table shows of each. */
export interface Messages {
  readonly deliveries: readonly DeliveryEntry[];
  readonly names: Names;
  readonly carried: CarriedItems;
}

/** How many a page about something else lists. */
const LISTED = 5;

/** The newest few messages to inventory systems of such a filter. */
export async function listNewestMessages(
  { ask }: Pick<PageRequest, 'ask'>,
  filter: Readonly<Record<string, string>>,
): Promise<DeliveryEntry[]> {
  const { data } = await ask('listDeliveries', { query: { ...filter, limit: String(LISTED) } });
  return data as DeliveryEntry[];
}

/** The newest few of several lists of messages. */
export function newestOf(lists: readonly (readonly DeliveryEntry[])[]): DeliveryEntry[] {
  return lists
    .flat()
    .toSorted((a, b) => b.created_at.getTime() - a.created_at.getTime())
    .slice(0, LISTED);
}

/** Adds to messages the names of what they are about, and their items. */
export async function withItems(
  sql: Sql,
  viewer: Viewer,
  deliveries: readonly DeliveryEntry[],
): Promise<Messages> {
  const [names, carried] = await Promise.all([
    nameRows(sql, viewer, deliveries),
    listCarriedItems(sql, deliveries),
  ]);
  return { deliveries, names, carried };
}
