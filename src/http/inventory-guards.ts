import type { Sql } from '../db/client';
import { findInventorySystem, type InventorySystemRow } from '../db/inventory-systems';
import { findStoreAccess, type StoreAccess } from '../db/stores';
import type { TokenOwner } from '../db/users';
import { asciiLower } from '../domain/ascii-case';
import { AppError, fieldError } from '../errors';
import { isOperator, parseRowId, requireStore } from './guards';

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** A UUID as it is kept, or a 422: Postgres would refuse anything else, and takes spellings that we do not. */
export function requireSystemId(text: string): string {
  if (UUID.test(text)) return asciiLower(text);
  throw fieldError('inventory_system_id', 'The selected inventory system id is invalid.');
}

/** The inventory system named in a body, which must be the caller's: unknown and foreign ones look alike. */
export async function findOwnSystem(
  sql: Sql,
  caller: TokenOwner,
  inventorySystemId: string,
): Promise<InventorySystemRow> {
  const system = await findInventorySystem(sql, requireSystemId(inventorySystemId));
  if (system && (system.createdBy === caller.userId || isOperator(caller))) return system;
  throw fieldError('inventory_system_id', 'The selected inventory system id is invalid.');
}

/** The inventory system named in a path, which must be the caller's: unknown and foreign ones look alike. */
export async function findOwnPathSystem(
  sql: Sql,
  caller: TokenOwner,
  text: string,
): Promise<InventorySystemRow> {
  const system = await findInventorySystem(sql, requirePathSystemId(text));
  if (system && (system.createdBy === caller.userId || isOperator(caller))) return system;
  throw systemNotFound();
}

/** The id of the system named in a path; what is no id names no system. */
export function requirePathSystemId(text: string): string {
  if (UUID.test(text)) return asciiLower(text);
  throw systemNotFound();
}

export function systemNotFound(): AppError {
  return new AppError('not_found', 'The inventory system was not found.');
}

/** The id of the store named in a path; what is no id names no store. */
export function requirePathStoreId(text: string): number {
  const storeId = parseRowId(text);
  if (storeId === undefined) throw storeNotFound();
  return storeId;
}

/** The store named in a path: unknown is a 404. */
export async function findPathStore(
  sql: Sql,
  caller: TokenOwner,
  text: string,
): Promise<StoreAccess> {
  const access = await findStoreAccess(sql, caller.userId, requirePathStoreId(text));
  if (!access) throw storeNotFound();
  return access;
}

/** The same, and the caller must have it: somebody else's is a 409. */
export async function findOwnPathStore(
  sql: Sql,
  caller: TokenOwner,
  text: string,
): Promise<StoreAccess> {
  const access = await findPathStore(sql, caller, text);
  requireStore(caller, access);
  return access;
}

export function storeNotFound(): AppError {
  return new AppError('not_found', 'The store was not found.');
}

/** A system as it is answered. */
export function renderSystem(system: Pick<InventorySystemRow, 'inventorySystemId' | 'name'>) {
  return {
    inventory_system_id: system.inventorySystemId,
    inventory_system_details: { name: system.name },
  };
}
