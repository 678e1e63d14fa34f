import type { UserId } from '../ids';
import type { Sql } from './client';
import { type IdempotencyMark, isMarkHeld } from './idempotency';

export interface NewInventorySystem {
  readonly inventorySystemId: string;
  readonly name: string;
  /** See `storeNameKey`: names are compared trimmed, composed and case-folded. */
  readonly nameKey: string;
  readonly createdBy: UserId;
  readonly mark: IdempotencyMark | null;
}

/** `taken`: there is an inventory system of that name. `mark_lost`: another request holds the idempotency key now. */
export async function insertInventorySystem(
  sql: Sql,
  system: NewInventorySystem,
): Promise<'made' | 'taken' | 'mark_lost'> {
  const { inventorySystemId, name, nameKey, createdBy, mark } = system;
  const [row] = await sql<{ held: number; made: number }[]>`
    with mark as (${isMarkHeld(sql, mark, inventorySystemId)}),
    made as (
      insert into inventory_system (inventory_system_id, name, name_key, created_by)
      select ${inventorySystemId}::uuid, ${name}, ${nameKey}, ${createdBy} from mark
      on conflict (name_key) do nothing
      returning inventory_system_id
    )
    select (select count(*) from mark) as held, (select count(*) from made) as made`;
  if (!row?.held) return 'mark_lost';
  return row.made > 0 ? 'made' : 'taken';
}

export interface InventorySystemRow {
  readonly inventorySystemId: string;
  readonly name: string;
  readonly createdBy: UserId;
}

/** `inventorySystemId` must be a UUID: Postgres refuses anything else. */
export async function findInventorySystem(
  sql: Sql,
  inventorySystemId: string,
): Promise<InventorySystemRow | undefined> {
  const [row] = await sql<InventorySystemRow[]>`
    select inventory_system_id, name, created_by from inventory_system
    where inventory_system_id = ${inventorySystemId}::uuid`;
  return row;
}
