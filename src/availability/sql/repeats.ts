import type { UploadId } from '../../platform/ids';
import { insertItemChange, ownChange } from './changes';
import { setSeasons } from './seasons';
import type { Sql, Transaction } from '../../platform/db/client';
import { isLeased } from '../../platform/queue/lease';
import type { PublicationKey } from '../../uploads/sql/publications';

/**
 * Follows a menu that the app has accepted, whose seasons count from now on. If `tellsAgain`, the app is told again what
 * is off sale, and what came back since the menu was sent: new SKUs of App D are on sale, and a task of App C may have
 * run while items were switched. The upload gets a step for that.
 */
export async function followMenu(
  tx: Transaction,
  key: PublicationKey,
  uploadId: UploadId,
  tellsAgain: boolean,
): Promise<void> {
  const { storeId, integrationId } = key;
  await tx`
    with told as (
      update availability_queue set told_upload_id = ${uploadId}
      where store_id = ${storeId}::bigint and integration_id = ${integrationId}::bigint
    )
    update publication set is_unfollowed = false
    where store_id = ${storeId}::bigint and integration_id = ${integrationId}::bigint
      and is_unfollowed and live_upload_id = ${uploadId}`;
  await setSeasons(tx, key, uploadId);
  if (!tellsAgain) return;
  const items = await tx<{ externalId: string; available: boolean; until: Date | null }[]>`
    with live as materialized (
      -- Decompressed by the || once, see takeUnavailable.
      select item_ids || '{}' as item_ids, coalesce(pushed_at, created_at) as sent_at from menu_upload
      where upload_id = ${uploadId}
    ), off as materialized (
      select external_id, case when by_stock or by_season then null else api_until end as until
      from availability_mark
      where store_id = ${storeId}::bigint and integration_id = ${integrationId}::bigint
    ), came_on as materialized (
      select distinct i.external_id from availability_change c
      join availability_item i using (change_id)
      where c.store_id = ${storeId}::bigint and c.integration_id = ${integrationId}::bigint
        and c.kind = 'items' and i.available and i.state = 'done'
        -- An unfinished change counts too: the app has already accepted some of its calls. As in
        -- availability_change_of_queue_ended.
        and coalesce(c.finished_at, 'infinity') >= (select sent_at from live)
    ), wanted as materialized (
      select external_id, false as available, until from off
      union all
      select external_id, true, null from came_on
      where external_id not in (select external_id from off)
    )
    select w.* from wanted w
    where (select item_ids from live) ? w.external_id
      -- A waiting item is sent anyway, and a caller waits for that.
      and w.external_id not in (select i.external_id from availability_item i
        where i.store_id = ${storeId}::bigint and i.integration_id = ${integrationId}::bigint
          and i.state = 'waiting')`;
  if (items.length === 0) return;
  const change = ownChange(key, 'menu');
  await insertItemChange(tx, {
    ...change,
    uploadId,
    items: items.map((item) => ({ ...item, state: 'waiting', message: null })),
  });
  const off = items.filter((item) => !item.available).map((item) => item.externalId);
  await tx`
    update availability_mark set change_id = ${change.changeId}
    where store_id = ${storeId}::bigint and integration_id = ${integrationId}::bigint
      and external_id = any(${off}::text[])`;
  await tx`
    insert into upload_step (upload_id, name, state, attempts, started_at)
    values (${uploadId}, 'availability', 'running', 1, now())
    on conflict (upload_id, name) do update set state = 'running', finished_at = null,
      attempts = upload_step.attempts + 1`;
}

/**
 * Undefined = the queue has followed the live menu, or there is no queue. Otherwise, whether its workflow has the
 * lease.
 */
export async function findQueueBehind(
  sql: Sql,
  { storeId, integrationId }: PublicationKey,
): Promise<{ readonly leased: boolean } | undefined> {
  const [row] = await sql<{ leased: boolean }[]>`
    select ${isLeased(sql, sql`q.`)} as leased
    from availability_queue q join publication p using (store_id, integration_id)
    where q.store_id = ${storeId}::bigint and q.integration_id = ${integrationId}::bigint
      and p.live_upload_id is distinct from q.told_upload_id`;
  return row;
}
