import { parseRowId } from '../users/guards';

/** What a list may be narrowed to. */
export interface PlaceFilter {
  readonly storeId?: number;
  readonly integrationId?: number;
}

/** No row has it: what is no id names nothing, and a list narrowed to it is empty. */
const NO_ROW = 0;

/** The store and the integration that the query of a list names. */
export function placeFilter(given: {
  readonly store_id?: string | number | undefined;
  readonly integration_id?: string | undefined;
}): PlaceFilter {
  const { store_id: storeId, integration_id: integrationId } = given;
  return {
    ...(storeId === undefined ? {} : { storeId: parseRowId(storeId) ?? NO_ROW }),
    ...(integrationId === undefined ? {} : { integrationId: parseRowId(integrationId) ?? NO_ROW }),
  };
}
