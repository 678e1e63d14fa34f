import type { PendingQuery, Row } from 'postgres';
import type { Sql, Transaction } from '../../platform/db/client';
import { onlyRow } from '../../platform/db/only-row';

/** JSON text stored by content: `sha256` (hex) and `size` describe the text, `contentGzip` is its gzip. */
export interface Document {
  readonly sha256: string;
  readonly contentGzip: Buffer;
  readonly size: number;
}

/**
 * A part of a statement that stores a document, or notes that it is used again. `from`: the rows without which it is
 * not stored, as `from held_key`.
 */
export function keepDocument(
  sql: Sql | Transaction,
  { sha256, contentGzip, size }: Document,
  from: PendingQuery<Row[]> = sql``,
): PendingQuery<Row[]> {
  return sql`
    insert into document (sha256, content_gzip, size)
    select ${sha256}, ${contentGzip}::bytea, ${size}::int ${from}
    on conflict (sha256) do update set created_at = now()`;
}

/** Undefined = there is none. */
export async function findDocument(sql: Sql, sha256: string): Promise<Document | undefined> {
  const [row] = await sql<Document[]>`
    select sha256, content_gzip, size from document where sha256 = ${sha256}`;
  return row;
}

/**
 * Checks up to `limit` documents that have not been used for `days`, oldest first, and removes unreferenced ones;
 * returns how many it checked. Referenced ones (of menus that are live for longer) are checked again after a day, so
 * that they never block the queue. Every reference to a document must be listed here: a test compares this with the
 * foreign keys. It uses arrays, because a join may read all documents, and scalar subqueries, because `exists` may
 * read a hash table of all uploads.
 */
export async function removeUnusedDocuments(
  sql: Sql,
  days: number,
  limit: number,
): Promise<number> {
  const rows = await sql<{ looked: number }[]>`
    with old as (
      select sha256 from document where created_at < now() - ${days}::int * interval '1 day'
      order by created_at limit ${limit} for update skip locked
    ), asked as (
      select sha256, coalesce(
        (select true from menu_upload u where u.document_sha256 = old.sha256 limit 1),
        (select true from menu_upload u where u.payload_sha256 = old.sha256 limit 1), false) as used
      from old
    ), removed as (
      delete from document where sha256 = any (array(select sha256 from asked where not used))
    ), postponed as (
      update document set created_at = now() - (${days}::int - 1) * interval '1 day'
      where sha256 = any (array(select sha256 from asked where used))
    )
    select count(*) as looked from asked`;
  return onlyRow(rows).looked;
}
