import { MOVEMENT } from '../../src/contract/examples';
import { startTestApi, type TestApi, type TestApiOptions, type TestCaller } from '../support/api';
import { prepareUploadRows, type UploadRows } from '../support/upload-rows';

/** One row of each kind that the console shows. */
export interface ConsoleWorld {
  readonly api: TestApi;
  readonly rows: UploadRows;
  /** Has the store of `rows`, and an inventory system with a webhook. */
  readonly owner: TestCaller;
  /** An upload that waits. */
  readonly uploadId: string;
  /** One that failed, with a hostile text from the app. */
  readonly failedId: string;
  readonly deliveryId: string;
  readonly systemId: string;
}

export async function startConsoleWorld(
  env: Record<string, string> = {},
  options: TestApiOptions = {},
): Promise<ConsoleWorld> {
  const api = await startTestApi({ ACK_WAIT: '0s', UPLOAD_WAIT: '0s', ...env }, options);
  const owner = await api.user('inventory:create', 'pos:events');
  const rows = await prepareUploadRows(api.sql);
  const { storeId } = rows.key;
  await api.sql`
    insert into user_store (store_id, user_id) values (${storeId}::bigint, ${owner.userId})`;
  const { uploadId: failedId } = await rows.insertRunning();
  await api.sql`
    update menu_upload set state = 'failed', finished_at = now(),
      messages = ${JSON.stringify(['<script>document.title = "broken"</script>'])}::text::jsonb
    where upload_id = ${failedId}`;
  const uploadId = await rows.insert({ text: 'another menu' });
  const system = await owner.post('/inventory/system/create', { name: 'Stock keeper' });
  const systemId: string = system.json.data.inventory_system_id;
  await owner.post('/inventory/system/webhook/manage', {
    inventory_system_id: systemId,
    type: 2,
    url: 'http://127.0.0.1:9/stock',
  });
  await owner.post('/inventory/system/store/link', {
    inventory_system_id: systemId,
    store_id: storeId,
    external_store_id: 'ext-1',
  });
  const event = await owner.post(`/pos/store/${storeId}/inventory/stock`, MOVEMENT);
  const deliveryId: string = event.json.data.deliveries[0].delivery_id;
  return { api, rows, owner, uploadId, failedId, deliveryId, systemId };
}
