import { findStoreAccess, type StoreAccess } from '../db/stores';
import type { Sql } from '../db/client';
import type { Permission, TokenOwner } from '../db/users';
import type { Viewer } from '../db/viewer';
import { AppError, fieldError } from '../errors';

export function hasPermission(caller: TokenOwner, permission: Permission): boolean {
  return caller.permissions.includes(permission) || isOperator(caller);
}

export function requirePermission(caller: TokenOwner, permission: Permission): void {
  if (hasPermission(caller, permission)) return;
  throw new AppError(
    'permission_denied',
    'You do not have the permissions to access this resource.',
  );
}

/** Digits only, so that " 1", "1.0" and "0x1" are not the store 1; larger than any id is no id. */
export function parseRowId(value: string | number): number | undefined {
  const text = String(value);
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

/** The store named in a body: unknown is a 422 of that field, somebody else's a 409. Operators see every store. */
export async function findNamedStore(
  sql: Sql,
  caller: TokenOwner,
  value: string | number,
): Promise<StoreAccess> {
  const storeId = parseRowId(value);
  const access =
    storeId === undefined ? undefined : await findStoreAccess(sql, caller.userId, storeId);
  if (!access) throw fieldError('store_id', 'The selected store id is invalid.');
  return access;
}

export function requireStore(caller: TokenOwner, access: Pick<StoreAccess, 'allowed'>): void {
  if (access.allowed || isOperator(caller)) return;
  throw new AppError('store_not_available', "You don't have this store available.");
}

/** Whose uploads and deliveries the caller sees: operators see all. */
export function viewerOf(caller: TokenOwner): Viewer {
  return { userId: caller.userId, seesAll: isOperator(caller) };
}

export function isOperator(caller: TokenOwner): boolean {
  return caller.permissions.includes('operator');
}
