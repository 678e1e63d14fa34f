import type { ImageVerdict } from '../types';
import type { Sql } from '../../platform/db/client';

/** The stored verdict on one image; `good`: nothing is wrong with it. */
export interface ImageMemory {
  /** SHA-256 of its URL, hex. */
  readonly urlSha256: string;
  readonly verdict: ImageVerdict | 'good';
}

export interface FreshImageMemory extends ImageMemory {
  readonly keepMs: number;
}

/** The unexpired verdicts among `urlSha256s`. */
export async function findImageVerdicts(
  sql: Sql,
  urlSha256s: readonly string[],
): Promise<readonly ImageMemory[]> {
  return sql<ImageMemory[]>`
    select url_sha256, verdict from image_verdict
    where url_sha256 = any(${[...urlSha256s]}::text[]) and expires_at > now()`;
}

export async function keepImageVerdicts(
  sql: Sql,
  verdicts: readonly FreshImageMemory[],
): Promise<void> {
  // Always in the same order; otherwise two uploads with the same images could deadlock.
  const rows = verdicts.toSorted((a, b) => (a.urlSha256 < b.urlSha256 ? -1 : 1));
  await sql`
    insert into image_verdict (url_sha256, verdict, expires_at)
    select url_sha256, verdict, now() + keep_ms * interval '1 ms'
    from unnest(${rows.map((each) => each.urlSha256)}::text[],
      ${rows.map((each) => each.verdict)}::text[],
      ${rows.map((each) => each.keepMs)}::int[]) as fresh (url_sha256, verdict, keep_ms)
    on conflict (url_sha256) do update set verdict = excluded.verdict,
      expires_at = excluded.expires_at`;
}

/** Removes up to `limit` expired verdicts; returns how many. */
export async function removeExpiredImageVerdicts(sql: Sql, limit: number): Promise<number> {
  const rows = await sql`
    delete from image_verdict where url_sha256 in (
      select url_sha256 from image_verdict where expires_at < now()
      limit ${limit} for update skip locked)
    returning url_sha256`;
  return rows.length;
}
