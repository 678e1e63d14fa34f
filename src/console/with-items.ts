import type { Sql } from '../platform/db/client';
import type { Viewer } from '../users/sql/users';
import type { DeliveryEntry } from './pages/deliveries';
import { type CarriedItems, listCarriedItems } from './sql/carried-items';
import { type Names, nameRows } from './sql/names';

/** Messages with what a row of a table shows of each. */
export interface Messages {
  readonly deliveries: readonly DeliveryEntry[];
  readonly names: Names;
  readonly carried: CarriedItems;
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
