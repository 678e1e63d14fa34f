import type { Sql } from '../../platform/db/client';
import { keyIs } from '../../platform/db/key-is';
import { onlyRow } from '../../platform/db/only-row';
import type { Viewer } from '../../users/sql/users';

/** The most inventory systems of a store that its page shows. */
export const LISTED_SYSTEMS = 20;
/** The most deliveries of a store that are counted. */
export const COUNTED_WAITING = 1_000;

/** An inventory system that a store is linked to. */
export interface LinkedSystem {
  readonly inventorySystemId: string;
  /** Null: it is another user's, whose name and webhooks the viewer does not see. */
  readonly name: string | null;
  readonly externalStoreId: string;
}

/** The inventory systems of a store; one more than are listed, to know whether there are more. */
export async function listLinkedSystems(
  sql: Sql,
  viewer: Viewer,
  storeId: number,
): Promise<LinkedSystem[]> {
  return sql<LinkedSystem[]>`
    select l.inventory_system_id, l.external_store_id,
      case when ${viewer.seesAll}::boolean or i.created_by = ${viewer.userId} then i.name end as name
    from store_link l join inventory_system i using (inventory_system_id)
    where l.store_id = ${storeId}::bigint and i.deleted_at is null
    order by l.created_at, l.inventory_system_id limit ${LISTED_SYSTEMS + 1}`;
}

/** Deliveries about a store that wait, to whomever they go. */
export interface WaitingDeliveries {
  /** Up to `COUNTED_WAITING`. */
  readonly count: number;
  readonly oldestAt: Date | null;
}

/** The oldest deliveries of a store that wait, by its index. */
export async function countWaitingDeliveries(
  sql: Sql,
  storeId: number,
): Promise<WaitingDeliveries> {
  const rows = await sql<WaitingDeliveries[]>`
    select count(*)::int as count, min(created_at) as oldest_at from (
      select d.created_at from delivery d
      where ${keyIs(sql, sql`d.store_id`, sql`${storeId}::bigint`)}
      order by d.store_id, d.delivery_id limit ${COUNTED_WAITING}) as oldest`;
  return onlyRow(rows);
}
