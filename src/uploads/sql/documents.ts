import type { Sql } from '../../platform/db/client';

/** JSON text kept by content: `sha256` (hex) and `size` are those of the text, `contentGzip` is gzip of it. */
export interface Document {
  readonly sha256: string;
  readonly contentGzip: Buffer;
  readonly size: number;
}

/** Undefined = there is none. */
export async function findDocument(sql: Sql, sha256: string): Promise<Document | undefined> {
  const [row] = await sql<Document[]>`
    select sha256, content_gzip, size from document where sha256 = ${sha256}`;
  return row;
}

/**
 * Looks at up to `limit` documents that nobody came with for `days`, oldest first, and removes those that nothing refers
 * to any more; how many it looked at. The others (of menus that are live for longer) are looked at again after a day,
 * so that however many they are, they do not stand in front of the next ones. Every reference to a document must be
 * asked here: a test compares it with the foreign keys. Arrays, since a join with what was found may read all documents;
 * scalar subqueries, since `exists` may be answered from a hash table of all uploads.
 */
export async function removeUnusedDocuments(
  sql: Sql,
  days: number,
  limit: number,
): Promise<number> {
  const [row] = await sql<{ looked: number }[]>`
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
  return row?.looked ?? 0;
}
