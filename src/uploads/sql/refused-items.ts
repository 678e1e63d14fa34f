import type { PendingQuery, Row } from 'postgres';
import type { UploadId } from '../../platform/ids';
import type { Sql } from '../../platform/db/client';

/** The items of an upload that the app knows by these wire ids: external ids by wire id. */
export async function findItemsByWireId(
  sql: Sql,
  uploadId: UploadId,
  wireIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await sql<{ wireId: string; externalId: string }[]>`
    select w.wire_id, e.key as external_id
    from menu_upload u cross join jsonb_each(u.item_ids) as e
      cross join jsonb_array_elements_text(e.value) as w (wire_id)
    where u.upload_id = ${uploadId} and w.wire_id in (select unnest(${[...wireIds]}::text[]))`;
  return new Map(rows.map(({ wireId, externalId }) => [wireId, externalId]));
}

/**
 * The list of items of upload `u` without these wire ids, which the app refused. An item stays in the list as long as
 * the app has it by another id: a copy, or the item of which the copy was refused.
 */
export function withoutWireIds(sql: Sql, wireIds: readonly string[]): PendingQuery<Row[]> {
  return sql`(
    select coalesce(jsonb_object_agg(left_over.key, left_over.ids), '{}')
    from (
      select e.key, jsonb_agg(w.wire_id order by w.position) as ids
      from jsonb_each(u.item_ids) as e
        cross join jsonb_array_elements_text(e.value) with ordinality as w (wire_id, position)
      where w.wire_id not in (select unnest(${[...wireIds]}::text[]))
      group by e.key
    ) left_over)`;
}
