import { grantStore, insertStore, reserveStoreId } from '../stores/sql/stores';
import { toNameKey } from '../platform/text/name-key';
import { sqlState } from '../platform/db/is-data-refused';
import { revokeStore } from '../deletions/sql/deletions';
import { purgeStore } from '../deletions/sql/store-purge';
import { discardWaiting } from '../webhooks/sql/discards';
import { findCountry } from '../platform/validation/countries';
import { isTimeZone } from '../platform/text/time-zone';
import type { UserId } from '../platform/ids';
import { type AdminDeps, AdminError } from './admin-deps';

const FOREIGN_KEY_VIOLATION = '23503';

type Deps = Pick<AdminDeps, 'sql'>;

export async function createStore(
  { sql }: Deps,
  input: { name: string; country: string; userId: string | null; timeZone?: string },
) {
  const country = findCountry(input.country);
  if (!country) throw new AdminError(`${input.country} is not an ISO 3166-1 alpha-2 country code.`);
  const { timeZone = null } = input;
  if (timeZone !== null && !isTimeZone(timeZone)) {
    throw new AdminError(`${timeZone} is not a time zone of the IANA's list.`);
  }
  const storeId = await reserveStoreId(sql);
  const inserted = await insertOwned(sql, {
    storeId,
    name: input.name,
    nameKey: toNameKey(input.name),
    countryCode: country.code,
    direction: null,
    latitude: null,
    longitude: null,
    timeZone,
    createdBy: input.userId as UserId | null,
    heldKey: null,
  });
  if (inserted !== 'made') throw new AdminError(`The user already has a store ${input.name}.`);
  return { user_id: input.userId, store_id: storeId };
}

async function insertOwned(sql: Deps['sql'], store: Parameters<typeof insertStore>[1]) {
  try {
    return await insertStore(sql, store);
  } catch (error) {
    if (sqlState(error) !== FOREIGN_KEY_VIOLATION) throw error;
    throw new AdminError(`The user ${store.createdBy} does not exist.`, { cause: error });
  }
}

export async function grantStoreTo({ sql }: Deps, userId: string, storeId: number) {
  if (!(await grantStore(sql, userId, storeId))) {
    throw new AdminError(`The user ${userId} or the store ${storeId} does not exist.`);
  }
  return { user_id: userId, store_id: storeId };
}

/** Takes a store from a user; links that nobody else holds up end, and what waits for them is discarded. */
export async function revokeStoreFrom({ sql }: Deps, userId: string, storeId: number) {
  if (!(await revokeStore(sql, userId, storeId))) {
    throw new AdminError(`The user ${userId} does not have the store ${storeId}.`);
  }
  await discardWaiting(sql);
  return { user_id: userId, store_id: storeId };
}

/** Permanently removes all data of a store that was deleted by the API. */
export async function purgeDeletedStore({ sql }: Deps, storeId: number) {
  if (!(await purgeStore(sql, storeId))) {
    throw new AdminError(`There is no store ${storeId} that was deleted.`);
  }
  return { store_id: storeId };
}
