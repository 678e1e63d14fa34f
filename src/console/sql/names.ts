import type { Sql } from '../../platform/db/client';
import { parseRowId } from '../../users/guards';
import type { Viewer } from '../../users/sql/users';

/** The ids in a row of a page, as the API answers them. */
export interface NamedRow {
  readonly store_id: number | string | null;
  readonly integration_id?: string;
  readonly inventory_system_id?: string | null;
  readonly user_id?: string;
}

export interface IntegrationName {
  readonly app: string;
  readonly name: string;
}

/** The names of a page by id, as text. This viewer may not see a name that is missing. */
export interface Names {
  readonly integrations: ReadonlyMap<string, IntegrationName>;
  readonly stores: ReadonlyMap<string, string>;
  readonly systems: ReadonlyMap<string, string>;
  readonly users: ReadonlyMap<string, string>;
}

/** Names the ids in the rows of one page: one statement for each kind of id, however many rows there are. */
export async function nameRows(
  sql: Sql,
  viewer: Viewer,
  rows: readonly NamedRow[],
): Promise<Names> {
  const [integrations, stores, systems, users] = await Promise.all([
    nameIntegrations(sql, viewer, rows),
    nameStores(sql, viewer, rows),
    nameSystems(sql, viewer, rows),
    nameUsers(sql, viewer, rows),
  ]);
  return { integrations, stores, systems, users };
}

/**
 * Like the API, names to a user only integrations that the row's store, one of theirs, is connected to. A rollout may
 * name any other.
 */
async function nameIntegrations(
  sql: Sql,
  viewer: Viewer,
  rows: readonly NamedRow[],
): Promise<Names['integrations']> {
  const shown = rows.flatMap(({ store_id, integration_id }) => {
    const storeId = rowId(store_id);
    const integrationId = rowId(integration_id);
    return storeId === undefined || integrationId === undefined ? [] : [{ storeId, integrationId }];
  });
  if (shown.length === 0) return new Map();
  const named = await sql<(IntegrationName & { readonly integrationId: number })[]>`
    select distinct i.integration_id, i.app, i.name
    from unnest(${shown.map((each) => each.storeId)}::bigint[],
      ${shown.map((each) => each.integrationId)}::bigint[]) as shown (store_id, integration_id)
    join integration i using (integration_id)
    where ${viewer.seesAll}::boolean or exists (
      select from user_store us join store_integration c using (store_id)
      where us.user_id = ${viewer.userId} and us.store_id = shown.store_id
        and c.integration_id = shown.integration_id)`;
  return new Map(
    named.map(({ integrationId, app, name }) => [String(integrationId), { app, name }]),
  );
}

/** Names only stores of the viewer: a delivery to a system of theirs may be about another user's store. */
async function nameStores(
  sql: Sql,
  viewer: Viewer,
  rows: readonly NamedRow[],
): Promise<Names['stores']> {
  const ids = new Set(rows.flatMap(({ store_id }) => rowId(store_id) ?? []));
  if (ids.size === 0) return new Map();
  const named = await sql<{ storeId: number; name: string }[]>`
    select s.store_id, s.name from store s
    where s.store_id = any(${[...ids]}::bigint[])
      and (${viewer.seesAll}::boolean or exists (
        select from user_store us where us.store_id = s.store_id and us.user_id = ${viewer.userId}))`;
  return new Map(named.map(({ storeId, name }) => [String(storeId), name]));
}

/** Like the API, names systems to the user who created them, and to operators. */
async function nameSystems(
  sql: Sql,
  viewer: Viewer,
  rows: readonly NamedRow[],
): Promise<Names['systems']> {
  const ids = new Set(rows.flatMap(({ inventory_system_id: id }) => id ?? []));
  if (ids.size === 0) return new Map();
  const named = await sql<{ inventorySystemId: string; name: string }[]>`
    select inventory_system_id, name from inventory_system
    where inventory_system_id = any(${[...ids]}::uuid[])
      and (${viewer.seesAll}::boolean or created_by = ${viewer.userId})`;
  return new Map(named.map(({ inventorySystemId, name }) => [inventorySystemId, name]));
}

/** Names the viewer, and others only to who sees all. */
async function nameUsers(
  sql: Sql,
  viewer: Viewer,
  rows: readonly NamedRow[],
): Promise<Names['users']> {
  const given = rows.flatMap(({ user_id: id }) => id ?? []);
  const ids = new Set(given.filter((id) => viewer.seesAll || id === viewer.userId));
  if (ids.size === 0) return new Map();
  const named = await sql<{ userId: string; name: string }[]>`
    select user_id, name from app_user where user_id = any(${[...ids]}::text[])`;
  return new Map(named.map(({ userId, name }) => [userId, name]));
}

function rowId(id: number | string | null | undefined): number | undefined {
  return id === null || id === undefined ? undefined : parseRowId(id);
}
