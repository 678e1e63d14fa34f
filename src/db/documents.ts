import type { Sql } from './client';

/** JSON text kept by content: `sha256` (hex) and `size` are those of the text, `contentGzip` is gzip of it. */
export interface Document {
  readonly sha256: string;
  readonly contentGzip: Buffer;
  readonly size: number;
}

/** The gzip of a document's text, or undefined. */
export async function findDocument(sql: Sql, sha256: string): Promise<Buffer | undefined> {
  const [row] = await sql<{ contentGzip: Buffer }[]>`
    select content_gzip from document where sha256 = ${sha256}`;
  return row?.contentGzip;
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
