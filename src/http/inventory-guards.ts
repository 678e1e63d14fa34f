import type { Sql } from '../db/client';
import { findInventorySystem, type InventorySystemRow } from '../db/inventory-systems';
import { findStoreAccess, type StoreAccess } from '../db/stores';
import type { TokenOwner } from '../db/users';
import { asciiLower } from '../domain/ascii-case';
import { AppError, fieldError } from '../errors';
import { isOperator, parseRowId, requireStore } from './guards';

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** The id of the system named in a body as it is kept: Postgres would refuse what is no UUID, and takes spellings that we do not. */
export function requireSystemId(text: string): string {
  return systemIdOf(text, unknownSystem);
}

/** The inventory system named in a body, which must be the caller's: unknown and foreign ones look alike. */
export async function findOwnSystem(
  sql: Sql,
  caller: TokenOwner,
  text: string,
): Promise<InventorySystemRow> {
  return ownSystem(sql, caller, text, unknownSystem);
}

/** The inventory system named in a path, which must be the caller's: unknown and foreign ones look alike. */
export async function findOwnPathSystem(
  sql: Sql,
  caller: TokenOwner,
  text: string,
): Promise<InventorySystemRow> {
  return ownSystem(sql, caller, text, systemNotFound);
}

/** The id of the system named in a path; what is no id names no system. */
export function requirePathSystemId(text: string): string {
  return systemIdOf(text, systemNotFound);
}

async function ownSystem(
  sql: Sql,
  caller: TokenOwner,
  text: string,
  missing: () => Error,
): Promise<InventorySystemRow> {
  const system = await findInventorySystem(sql, systemIdOf(text, missing));
  if (system && (system.createdBy === caller.userId || isOperator(caller))) return system;
  throw missing();
}

function systemIdOf(text: string, missing: () => Error): string {
  if (UUID.test(text)) return asciiLower(text);
  throw missing();
}

function unknownSystem(): Error {
  return fieldError('inventory_system_id', 'The selected inventory system id is invalid.');
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
