import { transformForAppB } from '../../src/delivery-apps/app-b/transform';
import type { MenuDocument } from '../../src/menus/menu';
import type { Sql } from '../../src/platform/db/client';
import type { UploadId } from '../../src/platform/ids';
import { packInThread } from '../../src/uploads/documents';
import { startRollout } from '../support/rollouts';
import { versionedMenu } from '../support/versioned-menu';
import type { ConsoleWorld } from './console-world';

/** The uploads and the rollout that the pages about menus show. */
export interface ConsoleMenus {
  /** Live; it changed the name of an item of the one before, and lost an item that no category has. */
  readonly liveId: UploadId;
  readonly previousId: UploadId;
  readonly rolloutId: string;
}

/** Two menus that went live one after the other, the menu of the upload that failed, a rollout that has begun, and an item that is off sale. */
export async function addMenus({
  api,
  rows,
  owner,
  failedId,
}: ConsoleWorld): Promise<ConsoleMenus> {
  const { sql } = api;
  const { storeId, integrationId } = rows.key;
  const unused = { external_id: 'I9', name: 'Tiramisu', price: { value: '9900' } };
  const menu = versionedMenu(2);
  const previousId = await goLive(rows, sql, versionedMenu(1), null);
  const liveId = await goLive(
    rows,
    sql,
    { ...menu, items: [...menu.items, { ...unused, data_modifier_groups: [] }] },
    previousId,
  );
  await sql`
    update publication set live_upload_id = ${liveId}, live_since = now()
    where store_id = ${storeId}::bigint and integration_id = ${integrationId}::bigint`;
  const failed = await putDocument(sql, versionedMenu(3, '15900'));
  await sql`update menu_upload set document_sha256 = ${failed} where upload_id = ${failedId}`;
  // So that it counts as connected; nothing is sent.
  await sql`
    update store_integration set credential_encrypted = '' where store_id = ${storeId}::bigint`;
  await sql`
    update integration set base_url = 'http://127.0.0.1:9', client_id = 'c', client_secret_encrypted = ''
    where integration_id = ${integrationId}::bigint`;
  await sql`
    insert into availability_mark (store_id, integration_id, external_id, by_api, by_stock, change_id)
    values (${storeId}::bigint, ${integrationId}::bigint, 'I2', true, false, 'avc_gone')`;
  const rolloutId = await startRollout(owner, 3, [
    { store_id: storeId, integration_id: integrationId },
  ]);
  return { liveId, previousId, rolloutId };
}

async function goLive(
  rows: ConsoleWorld['rows'],
  sql: Sql,
  menu: MenuDocument,
  previousId: UploadId | null,
): Promise<UploadId> {
  const { payload, losses, itemIds } = transformForAppB({
    menu,
    store: { appStoreId: 'm', currencyExponent: 2, locale: 'es_mx' },
  });
  const uploadId = await rows.insert({ text: menu.items.map(({ name }) => name).join() });
  const sent = await putDocument(sql, menu);
  const pushed = await putDocument(sql, payload);
  await sql`
    update menu_upload set state = 'uploaded', finished_at = now(), document_sha256 = ${sent},
      payload_sha256 = ${pushed}, app = 'app-b',
      item_ids = ${JSON.stringify(Object.fromEntries(itemIds))}::text::jsonb, losses = ${JSON.stringify(losses)}::text::json,
      previous_upload_id = ${previousId}, 
      sent_beside = json_build_object('store_id', store_id, 'integration_id', integration_id::text)
    where upload_id = ${uploadId}`;
  return uploadId;
}

async function putDocument(sql: Sql, content: unknown): Promise<string> {
  const { sha256, contentGzip, size } = packInThread(Buffer.from(JSON.stringify(content)));
  await sql`
    insert into document (sha256, content_gzip, size) values (${sha256}, ${contentGzip}, ${size})
    on conflict do nothing`;
  return sha256;
}
