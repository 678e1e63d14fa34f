import type { Sql } from '../../platform/db/client';
import { parseRowId } from '../../users/guards';
import type { Viewer } from '../../users/sql/users';

/** What a row of a page is about: ids as the API answers them. */
export interface Place {
  readonly store_id: number | string;
  readonly integration_id: string;
}

export interface IntegrationName {
  readonly app: string;
  readonly name: string;
}

/** By id. One that is missing has no name for this viewer. */
export type IntegrationNames = ReadonlyMap<string, IntegrationName>;
export type SystemNames = ReadonlyMap<string, string>;

/**
 * The integrations of the rows of one page, in one statement. As the API, it names to a user those that stores of
 * theirs are connected to: a rollout may have been asked for any other, too.
 */
export async function nameIntegrations(
  sql: Sql,
  viewer: Viewer,
  places: readonly Place[],
): Promise<IntegrationNames> {
  const shown = places.flatMap((place) => {
    const storeId = parseRowId(place.store_id);
    const integrationId = parseRowId(place.integration_id);
    return storeId === undefined || integrationId === undefined ? [] : [{ storeId, integrationId }];
  });
  if (shown.length === 0) return new Map();
  const rows = await sql<(IntegrationName & { readonly integrationId: number })[]>`
    select distinct i.integration_id, i.app, i.name
    from unnest(${shown.map((each) => each.storeId)}::bigint[],
      ${shown.map((each) => each.integrationId)}::bigint[]) as shown (store_id, integration_id)
    join integration i using (integration_id)
    where ${viewer.seesAll}::boolean or exists (
      select from user_store us join store_integration c using (store_id)
      where us.user_id = ${viewer.userId} and us.store_id = shown.store_id
        and c.integration_id = shown.integration_id)`;
  return new Map(
    rows.map(({ integrationId, app, name }) => [String(integrationId), { app, name }]),
  );
}

/** The same of inventory systems: the API names them to whoever made them, and to operators. */
export async function nameSystems(
  sql: Sql,
  viewer: Viewer,
  rows: readonly { readonly inventory_system_id: string | null }[],
): Promise<SystemNames> {
  const ids = new Set(rows.flatMap(({ inventory_system_id: id }) => (id === null ? [] : [id])));
  if (ids.size === 0) return new Map();
  const named = await sql<{ inventorySystemId: string; name: string }[]>`
    select inventory_system_id, name from inventory_system
    where inventory_system_id = any(${[...ids]}::uuid[])
      and (${viewer.seesAll}::boolean or created_by = ${viewer.userId})`;
  return new Map(named.map(({ inventorySystemId, name }) => [inventorySystemId, name]));
}
