import type { AppCredential } from '../app-client';

/** The app's own number of the store, in digits; undefined if the store's credential has none. */
export function rappiIdIn(store: AppCredential['store']): string | undefined {
  const id = store['rappi_store_id'];
  return id !== undefined && /^\d{1,15}$/.test(id) ? id : undefined;
}

export const NO_RAPPI_ID = 'The store credential has no rappi_store_id.';
