import type { PendingQuery, Row } from 'postgres';
import type { Sql } from '../../platform/db/client';
import { keyIs } from '../../platform/db/key-is';
import { foldedWords, hasWords, hasWordsByIndex, wordsOf } from '../../platform/db/name-search';
import { trimBlanks } from '../../platform/text/blank';
import { parseRowId } from '../../users/guards';
import type { Viewer } from '../../users/sql/users';
import { storeColumns, type StoreView } from './store-views';

interface StorePage {
  readonly before?: number;
  readonly limit: number;
}

/**
 * The newest stores of the viewer in which words are looked for one by one, some 10 ms. Where many match, a page is full
 * with these; the index of parts would first find all that match.
 */
const LOOKED_AT = 1_000;

/**
 * The viewer's stores that `text` names, newest first, at most `limit`: the one with this id and those that a delivery
 * app calls so; if there is none, those whose name has each word somewhere, case and accents aside.
 */
export async function searchStores(
  sql: Sql,
  viewer: Viewer,
  text: string,
  page: StorePage,
): Promise<StoreView[]> {
  const { before = Number.MAX_SAFE_INTEGER, limit } = page;
  const name = trimBlanks(text);
  if (name === '') return [];
  const called = await listCalled(sql, viewer, name);
  if (called.length > 0) return called.filter(({ storeId }) => storeId < before).slice(0, limit);
  const words = wordsOf(name);
  const { found, looked } = await lookAtNewest(sql, viewer, words, { before, limit });
  return found.length === limit || looked < LOOKED_AT
    ? found
    : listNamed(sql, viewer, words, { before, limit });
}

/** The store with this id, and those that an app calls so: at most one for each integration. */
async function listCalled(sql: Sql, viewer: Viewer, id: string): Promise<StoreView[]> {
  return sql<StoreView[]>`
    select ${storeColumns(sql)} from store s
    where s.store_id in (
        select ${parseRowId(id) ?? null}::bigint
        union all
        select si.store_id from integration i join store_integration si
          on si.integration_id = i.integration_id and si.delivery_id = ${id})
      and s.deleted_at is null and ${isOf(sql, viewer)}
    order by s.store_id desc`;
}

async function lookAtNewest(
  sql: Sql,
  viewer: Viewer,
  words: readonly string[],
  { before, limit }: Required<StorePage>,
): Promise<{ readonly found: StoreView[]; readonly looked: number }> {
  // Two statements rather than one with an `or`, as in `listStores`.
  const newest = viewer.seesAll
    ? sql`
      select s.* from store s where s.deleted_at is null and s.store_id < ${before}::bigint
      order by s.store_id desc limit ${LOOKED_AT}`
    : sql`
      select s.* from user_store us join store s using (store_id)
      where ${keyIs(sql, sql`us.user_id`, sql`${viewer.userId}`)} and s.deleted_at is null
        and us.store_id < ${before}::bigint
      order by us.user_id desc, us.store_id desc limit ${LOOKED_AT}`;
  const rows = await sql<(StoreView & { readonly looked: number })[]>`
    with ${foldedWords(sql, words)}, newest as materialized (${newest}), found as (
      select ${storeColumns(sql)} from newest s where ${hasWords(sql, sql`s.name_folded`)}
      order by s.store_id desc limit ${limit}
    )
    select found.*, (select count(*)::int from newest) as looked
    from (select 1) as always left join found on true
    order by found.store_id desc`;
  const found = rows.flatMap(({ looked: _looked, ...row }) => (row.storeId === null ? [] : [row]));
  return { found, looked: rows[0]?.looked ?? 0 };
}

async function listNamed(
  sql: Sql,
  viewer: Viewer,
  words: readonly string[],
  { before, limit }: Required<StorePage>,
): Promise<StoreView[]> {
  // Materialized: the order of the page must not decide by which index the stores are found.
  return sql<StoreView[]>`
    with ${foldedWords(sql, words)}, named as materialized (
      select ${storeColumns(sql)} from store s
      where ${hasWordsByIndex(sql, sql`s.name_folded`)} and s.deleted_at is null
    )
    select s.* from named s
    where s.store_id < ${before}::bigint and ${isOf(sql, viewer)}
    order by s.store_id desc limit ${limit}`;
}

/** Whether the viewer may see store `s`. */
function isOf(sql: Sql, viewer: Viewer): PendingQuery<Row[]> {
  return sql`(${viewer.seesAll}::boolean or exists (select from user_store us
    where us.store_id = s.store_id and us.user_id = ${viewer.userId}))`;
}
