import type { Sql } from '../platform/db/client';
import { findStoreAccess, type StoreAccess } from './sql/store-access';
import type { Permission, TokenOwner, UserState, Viewer } from './sql/users';
import { AppError, fieldError } from '../platform/errors';

export function hasPermission(caller: TokenOwner, permission: Permission): boolean {
  return caller.permissions.includes(permission) || isOperator(caller);
}

export function requirePermission(caller: TokenOwner, permission: Permission): void {
  if (!hasPermission(caller, permission)) throw permissionDenied();
}

export const PERMISSION_DENIED = 'You do not have the permissions to access this resource.';

export function permissionDenied(): AppError {
  return new AppError('permission_denied', PERMISSION_DENIED);
}

/** Digits only, so that " 1", "1.0" and "0x1" are not the store 1; a number larger than any id is not an id. */
export function parseRowId(value: string | number): number | undefined {
  const text = String(value);
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

/** The store named in a body: unknown is a 422 of that field, another user's a 409. Operators see every store. */
export async function findNamedStore(
  sql: Sql,
  caller: TokenOwner,
  value: string | number,
): Promise<StoreAccess> {
  const storeId = parseRowId(value);
  const access =
    storeId === undefined ? undefined : await findStoreAccess(sql, caller.userId, storeId);
  if (!access) throw unknownStore(value);
  return access;
}

/** A store named in a body that does not exist. */
export function unknownStore(value: string | number): Error {
  return fieldError('store_id', 'The selected store id is invalid.', { value });
}

/** The caller acts on the store: another user's is a 409, and a 403 to somebody who sees it all the same. */
export function requireStore(caller: TokenOwner, access: Pick<StoreAccess, 'allowed'>): void {
  if (access.allowed || isOperator(caller)) return;
  throw seesMore(caller) ? permissionDenied() : storeNotAvailable();
}

/** The caller only reads about the store. */
export function requireSeenStore(caller: TokenOwner, access: Pick<StoreAccess, 'allowed'>): void {
  if (access.allowed || viewerOf(caller).seesAll) return;
  throw storeNotAvailable();
}

function storeNotAvailable(): AppError {
  return new AppError('store_not_available', "You don't have this store available.");
}

/** What the caller may see: operators and `support` see all. */
export function viewerOf(caller: TokenOwner): Viewer {
  return { userId: caller.userId, seesAll: isOperator(caller) || seesMore(caller) };
}

/** What the caller may act on: operators on all, everybody else on their own. */
export function actorOf(caller: TokenOwner): Viewer {
  return { userId: caller.userId, seesAll: isOperator(caller) };
}

/** Whether the caller sees more than they may act on: that is the whole of `support`. */
export function seesMore(caller: TokenOwner): boolean {
  return caller.permissions.includes('support') && !isOperator(caller);
}

/**
 * What the caller is about to act on, as `find` finds it for a viewer. Throws the 403 if the caller only sees it;
 * undefined = the caller does not see it either.
 */
export async function findToActOn<Found>(
  caller: TokenOwner,
  find: (viewer: Viewer) => Promise<Found | undefined>,
): Promise<Found | undefined> {
  const found = await find(actorOf(caller));
  if (!found && seesMore(caller) && (await find(viewerOf(caller)))) throw permissionDenied();
  return found;
}

export function isOperator(caller: TokenOwner): boolean {
  return caller.permissions.includes('operator');
}

/** The id of the store named in a path; a malformed id matches no store. */
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

/** The same, and the caller may read about it: another user's is a 409. */
export async function findSeenPathStore(
  sql: Sql,
  caller: TokenOwner,
  text: string,
): Promise<StoreAccess> {
  const access = await findPathStore(sql, caller, text);
  requireSeenStore(caller, access);
  return access;
}

/** The same, and the caller may act on it. */
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

/** The refusal of a user who is not active; `deletedUser` is the code for a deleted one. */
export function inactiveUser(
  state: Exclude<UserState, 'active'>,
  deletedUser: 'user_not_active' | 'user_missing',
): AppError {
  return state === 'deactivated'
    ? new AppError('user_not_active', 'User not authenticated.')
    : new AppError(deletedUser, 'User not found.');
}
