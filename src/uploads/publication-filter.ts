import { parseRowId } from '../users/guards';

/** Filters of a list. */
export interface PublicationFilter {
  readonly storeId?: number;
  readonly integrationId?: number;
}

/** No row has this id: a malformed id matches nothing, so the list is empty. */
const NO_ROW = 0;

/** The store and the integration in the query of a list. */
export function publicationFilter(given: {
  readonly store_id?: string | number | undefined;
  readonly integration_id?: string | undefined;
}): PublicationFilter {
  const { store_id: storeId, integration_id: integrationId } = given;
  return {
    ...(storeId === undefined ? {} : { storeId: parseRowId(storeId) ?? NO_ROW }),
    ...(integrationId === undefined ? {} : { integrationId: parseRowId(integrationId) ?? NO_ROW }),
  };
}
