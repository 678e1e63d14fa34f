import type { StoreView } from './sql/store-views';
import { findCountry } from '../platform/validation/countries';

/** A store in the answer to its creation. */
export function renderNewStore(store: Omit<StoreView, 'availabilityFromStock'>) {
  const { latitude, longitude } = store;
  return {
    id: store.storeId,
    name: store.name,
    // A stored code has passed this look-up before.
    country: findCountry(store.countryCode)?.name ?? store.countryCode,
    direction: store.direction,
    // GeoJSON puts the longitude first.
    location_point:
      latitude === null || longitude === null
        ? null
        : { type: 'Point', coordinates: [longitude, latitude] },
    time_zone: store.timeZone,
  };
}

/** The same with the settings that only an existing store can have. */
export function renderStore(store: StoreView) {
  return { ...renderNewStore(store), availability_from_stock: store.availabilityFromStock };
}
