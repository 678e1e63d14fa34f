import type { Sql } from './client';

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

/** Removes up to `limit` documents that nothing refers to any more; how many. */
export async function removeUnusedDocuments(sql: Sql, limit: number): Promise<number> {
  const rows = await sql`
    delete from document where sha256 in (
      select d.sha256 from document d
      where d.created_at < now() - interval '1 day'
        and not exists (select from menu_upload u where u.document_sha256 = d.sha256)
        and not exists (select from menu_upload u where u.payload_sha256 = d.sha256)
      limit ${limit} for update skip locked)
    returning sha256`;
  return rows.length;
}
