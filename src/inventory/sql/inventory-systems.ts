import { foldedWords, hasWords, hasWordsByIndex } from '../../platform/db/name-search';
import type { UserId } from '../../platform/ids';
import type { Viewer } from '../../users/sql/users';
import type { Sql } from '../../platform/db/client';
import { onlyRow } from '../../platform/db/only-row';
import { type HeldKey, bindHeldKey } from '../../http/sql/idempotency';
import { sqlState, UNIQUE_VIOLATION } from '../../platform/db/is-data-refused';

export interface NewInventorySystem {
  readonly inventorySystemId: string;
  readonly name: string;
  /** See `storeNameKey`: names are compared trimmed, composed and case-folded. */
  readonly nameKey: string;
  readonly createdBy: UserId;
  readonly heldKey: HeldKey | null;
}

/** `taken`: an inventory system already has that name. `key_lost`: another request holds the idempotency key now. */
export async function insertInventorySystem(
  sql: Sql,
  system: NewInventorySystem,
): Promise<'made' | 'taken' | 'key_lost'> {
  const { inventorySystemId, name, nameKey, createdBy, heldKey } = system;
  const rows = await sql<{ held: number; made: number }[]>`
    with held_key as (${bindHeldKey(sql, heldKey, inventorySystemId)}),
    made as (
      insert into inventory_system (inventory_system_id, name, name_key, created_by)
      select ${inventorySystemId}::uuid, ${name}, ${nameKey}, ${createdBy} from held_key
      on conflict (name_key) do nothing
      returning inventory_system_id
    )
    select (select count(*) from held_key) as held, (select count(*) from made) as made`;
  const { held, made } = onlyRow(rows);
  if (held === 0) return 'key_lost';
  return made > 0 ? 'made' : 'taken';
}

export interface InventorySystemRow {
  readonly inventorySystemId: string;
  readonly name: string;
  readonly createdBy: UserId;
}

export interface FoundSystem extends InventorySystemRow {
  /** False: its owner was deactivated or deleted, and its webhooks send nothing. */
  readonly isOwnerActive: boolean;
}

/** `inventorySystemId` must be a UUID, because Postgres rejects anything else. */
export async function findInventorySystem(
  sql: Sql,
  inventorySystemId: string,
): Promise<FoundSystem | undefined> {
  const [row] = await sql<FoundSystem[]>`
    select i.inventory_system_id, i.name, i.created_by, u.state = 'active' as is_owner_active
    from inventory_system i join app_user u on u.user_id = i.created_by
    where i.inventory_system_id = ${inventorySystemId}::uuid and i.deleted_at is null`;
  return row;
}

/** A system in a list; the next page continues after both of its keys. */
export interface ListedSystem extends InventorySystemRow {
  /** Microseconds since the epoch, which a `Date` cannot hold. */
  readonly createdAtUs: number;
}

export interface SystemPosition {
  readonly createdAtUs: number;
  readonly inventorySystemId: string;
}

/** The viewer's systems, newest first, at most `limit`; `before` is the last one of the previous page. */
export async function listInventorySystems(
  sql: Sql,
  viewer: Viewer,
  { before, limit }: { readonly before?: SystemPosition; readonly limit: number },
): Promise<ListedSystem[]> {
  return sql<ListedSystem[]>`
    select inventory_system_id, name, created_by,
      (extract(epoch from created_at) * 1000000)::bigint as created_at_us
    from inventory_system
    where deleted_at is null
      ${viewer.seesAll ? sql`` : sql`and created_by = ${viewer.userId}`}
      ${
        before === undefined
          ? sql``
          : sql`and (created_at, inventory_system_id)
            < (timestamptz 'epoch' + ${before.createdAtUs}::bigint * interval '1 us', ${before.inventorySystemId}::uuid)`
      }
    order by created_at desc, inventory_system_id desc
    limit ${limit}`;
}

/** The viewer's systems whose name has each word somewhere, case and accents aside, newest first, at most `limit`. */
export async function searchSystems(
  sql: Sql,
  viewer: Viewer,
  words: readonly string[],
  limit: number,
): Promise<InventorySystemRow[]> {
  const folded = sql`i.name_folded`;
  const named = viewer.seesAll
    ? hasWordsByIndex(sql, folded)
    : sql`i.created_by = ${viewer.userId} and ${hasWords(sql, folded)}`;
  return sql<InventorySystemRow[]>`
    with ${foldedWords(sql, words)}, named as materialized (
      select i.inventory_system_id, i.name, i.created_by, i.created_at from inventory_system i
      where ${named} and i.deleted_at is null
    )
    select inventory_system_id, name, created_by from named
    order by created_at desc, inventory_system_id desc limit ${limit}`;
}

/** Renames the system and returns it. `taken`: another system has the name. Undefined = no such system. */
export async function renameInventorySystem(
  sql: Sql,
  inventorySystemId: string,
  name: string,
  nameKey: string,
): Promise<InventorySystemRow | 'taken' | undefined> {
  try {
    const [row] = await sql<InventorySystemRow[]>`
      update inventory_system set name = ${name}, name_key = ${nameKey}
      where inventory_system_id = ${inventorySystemId}::uuid and deleted_at is null
      returning inventory_system_id, name, created_by`;
    return row;
  } catch (error) {
    // The index decides, because two simultaneous changes could both find the name free.
    if (sqlState(error) === UNIQUE_VIOLATION) return 'taken';
    throw error;
  }
}
