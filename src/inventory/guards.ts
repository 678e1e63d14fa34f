import type { Sql } from '../platform/db/client';
import { findInventorySystem, type FoundSystem } from './sql/inventory-systems';
import type { TokenOwner, Viewer } from '../users/sql/users';
import { asciiLower } from '../platform/text/ascii-case';
import { AppError, fieldError } from '../platform/errors';
import { findToActOn, viewerOf } from '../users/guards';

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/**
 * The id of the system named in a body: Postgres would reject anything but a UUID, and accepts spellings that we do
 * not.
 */
export function requireSystemId(text: string): string {
  return systemIdOf(text, unknownSystem);
}

/**
 * The inventory system named in a body, on which the caller acts. One that the caller does not see is treated as
 * unknown; one that they only see is a 403.
 */
export async function findOwnSystem(
  sql: Sql,
  caller: TokenOwner,
  text: string,
): Promise<FoundSystem> {
  return ownSystem(sql, caller, text, unknownSystem);
}

/** The same of a system named in a path. */
export async function findOwnPathSystem(
  sql: Sql,
  caller: TokenOwner,
  text: string,
): Promise<FoundSystem> {
  return ownSystem(sql, caller, text, systemNotFound);
}

/** The inventory system named in a body, about which the caller only reads. */
export async function findSeenSystem(
  sql: Sql,
  caller: TokenOwner,
  text: string,
): Promise<FoundSystem> {
  return seenSystem(sql, caller, text, unknownSystem);
}

/** The same of a system named in a path. */
export async function findSeenPathSystem(
  sql: Sql,
  caller: TokenOwner,
  text: string,
): Promise<FoundSystem> {
  return seenSystem(sql, caller, text, systemNotFound);
}

/** The id of the system named in a path; a malformed id matches no system. */
export function requirePathSystemId(text: string): string {
  return systemIdOf(text, systemNotFound);
}

async function ownSystem(
  sql: Sql,
  caller: TokenOwner,
  text: string,
  missing: (text: string) => Error,
): Promise<FoundSystem> {
  const systemId = systemIdOf(text, missing);
  const system = await findToActOn(caller, (viewer) => findSystemOf(sql, viewer, systemId));
  if (!system) throw missing(text);
  return system;
}

async function seenSystem(
  sql: Sql,
  caller: TokenOwner,
  text: string,
  missing: (text: string) => Error,
): Promise<FoundSystem> {
  const system = await findSystemOf(sql, viewerOf(caller), systemIdOf(text, missing));
  if (!system) throw missing(text);
  return system;
}

async function findSystemOf(
  sql: Sql,
  viewer: Viewer,
  systemId: string,
): Promise<FoundSystem | undefined> {
  const system = await findInventorySystem(sql, systemId);
  return viewer.seesAll || system?.createdBy === viewer.userId ? system : undefined;
}

function systemIdOf(text: string, missing: (text: string) => Error): string {
  const id = namedSystemId(text);
  if (id === undefined) throw missing(text);
  return id;
}

/** The id of a system as we write it; undefined for what is none. */
export function namedSystemId(text: string): string | undefined {
  return UUID.test(text) ? asciiLower(text) : undefined;
}

/** A system named in a body that does not exist, or is not the caller's; `value` is the name, if it is at hand. */
export function unknownSystem(value?: string): Error {
  return fieldError('inventory_system_id', 'The selected inventory system id is invalid.', {
    value,
  });
}

export function systemNotFound(): AppError {
  return new AppError('not_found', 'The inventory system was not found.');
}

/** A system as the API returns it. */
export function renderSystem(system: Pick<FoundSystem, 'inventorySystemId' | 'name'>) {
  return {
    inventory_system_id: system.inventorySystemId,
    inventory_system_details: { name: system.name },
  };
}
