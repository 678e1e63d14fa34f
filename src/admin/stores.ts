import { grantStore, insertStore, reserveStoreId, storeNameKey } from '../db/stores';
import { purgeStore } from '../db/store-purge';
import { findCountry } from '../domain/countries';
import type { UserId } from '../ids';
import { type AdminDeps, AdminError } from './admin-deps';

type Deps = Pick<AdminDeps, 'sql'>;

export async function createStore(
  { sql }: Deps,
  input: { name: string; country: string; userId: string | null },
) {
  const country = findCountry(input.country);
  if (!country) throw new AdminError(`${input.country} is not an ISO 3166-1 alpha-2 country code.`);
  const storeId = await reserveStoreId(sql);
  const inserted = await insertStore(sql, {
    storeId,
    name: input.name,
    nameKey: storeNameKey(input.name),
    countryCode: country.code,
    direction: null,
    latitude: null,
    longitude: null,
    createdBy: input.userId as UserId | null,
    mark: null,
  });
  if (inserted !== 'made') throw new AdminError(`The user already has a store ${input.name}.`);
  return { user_id: input.userId, store_id: storeId };
}

export async function grantStoreTo({ sql }: Deps, userId: string, storeId: number) {
  if (!(await grantStore(sql, userId, storeId))) {
    throw new AdminError(`The user ${userId} or the store ${storeId} does not exist.`);
  }
  return { user_id: userId, store_id: storeId };
}

/** Removes all that is kept of a store that was deleted by the API; there is no way back. */
export async function purgeDeletedStore({ sql }: Deps, storeId: number) {
  if (!(await purgeStore(sql, storeId))) {
    throw new AdminError(`There is no store ${storeId} that was deleted.`);
  }
  return { store_id: storeId };
}
