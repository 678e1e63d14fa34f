import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { deflateSync, crc32 } from 'node:zlib';
import { adapterOf } from '../../src/delivery-apps/registry';
import type { AppName } from '../../src/delivery-apps/types';
import { DAYS_OF_WEEK, type MenuDocument } from '../../src/menus/menu';
import type { UploadId } from '../../src/platform/ids';
import { packInThread } from '../../src/uploads/documents';
import { GOLDEN_STORE } from '../delivery-apps/golden-menus';
import type { ConsoleWorld } from './console-world';

const PICTURES = 'https://pictures.example';
const OPEN = DAYS_OF_WEEK.map((day_of_week) => ({
  day_of_week,
  periods: [{ start: '09:00', end: day_of_week === 'sunday' ? '16:00' : '22:00' }],
}));

/** A small menu with all that a guest may see of one: pictures, a promotion, choices, allergens. */
export const TAQUERIA: MenuDocument = {
  menus: [
    {
      identifier: 'M1',
      name: 'Taquería Lupita',
      category_external_ids: ['C1', 'C2'],
      schedules: OPEN,
    },
  ],
  categories: [
    {
      external_id: 'C1',
      name: 'Tacos',
      data_items: ['T1', 'T2', 'T3'].map((id) => ({ item_external_id: id })),
    },
    {
      external_id: 'C2',
      name: 'Drinks',
      data_items: ['D1', 'D2'].map((id) => ({ item_external_id: id })),
    },
  ],
  items: [
    {
      external_id: 'T1',
      name: 'Tacos al pastor 🌮',
      description: 'Three tacos with pork from the spit, pineapple, onion and coriander.',
      image_url: `${PICTURES}/pastor.png`,
      price: { value: '9900', promotion_value: '7900' },
      data_modifier_groups: [
        {
          modifier_group_external_id: 'G1',
          quantity: { min_quantity: '1', max_quantity: '2', free_quantity: '1' },
        },
        { modifier_group_external_id: 'G2' },
      ],
      details: {
        allergens: ['gluten', 'sulphites'],
        calories: { from: '540', to: '620' },
        tax: { rate: '1600' },
      },
    },
    {
      external_id: 'T2',
      name: 'Tacos de nopal',
      description: 'Grilled cactus, cheese and beans.',
      image_url: `${PICTURES}/gone.png`,
      price: { value: '8500' },
      data_modifier_groups: [{ modifier_group_external_id: 'G1' }],
      details: { diets: ['vegetarian'], allergens: ['milk'] },
    },
    {
      external_id: 'T3',
      name: 'Quesadilla',
      price: { value: '6500' },
      data_modifier_groups: [],
    },
    {
      external_id: 'D1',
      name: 'Agua de jamaica',
      description: 'Hibiscus, half a litre.',
      image_url: `${PICTURES}/jamaica.png`,
      price: { value: '3500' },
      data_modifier_groups: [],
    },
    {
      external_id: 'D2',
      name: 'Cerveza',
      price: { value: '4500' },
      data_modifier_groups: [],
      details: { alcohol: { units: '1', by_volume: '450' } },
    },
    ...[
      ['S1', 'Salsa verde', '0'],
      ['S2', 'Salsa roja', '0'],
      ['S3', 'Habanero', '500'],
      ['E1', 'Cheese', '1500'],
      ['E2', 'Guacamole', '2500'],
    ].map(([external_id = '', name = '', value = '']) => ({
      external_id,
      name,
      price: value === '0' ? { free: true } : { value },
      data_modifier_groups: [],
    })),
    // In no category, and no option of anything.
    { external_id: 'X1', name: 'Tiramisu', price: { value: '9900' }, data_modifier_groups: [] },
  ],
  modifier_groups: [
    {
      external_id: 'G1',
      name: 'Salsas',
      quantity: { min_quantity: '1', max_quantity: '2' },
      data_options: ['S1', 'S2', 'S3'].map((id) => ({ item_external_id: id })),
    },
    {
      external_id: 'G2',
      name: 'Extras',
      quantity: { min_quantity: '0', max_quantity: '2' },
      data_options: ['E1', 'E2'].map((id) => ({ item_external_id: id })),
    },
  ],
};

/** A server of the menu's pictures; it has all but `gone.png`. */
export async function startPictures(): Promise<{ origin: string; stop(): void }> {
  const colours = { pastor: [190, 70, 40], jamaica: [130, 20, 60] } as const;
  const server = createServer((request, response) => {
    const found = Object.entries(colours).find(([name]) => request.url === `/${name}.png`);
    if (found) response.end(pngOf(found[1]));
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** A picture of one colour. */
function pngOf(colour: readonly number[]): Buffer {
  const side = 160;
  const row = Buffer.from([0, ...Array.from({ length: side }, () => colour).flat()]);
  const head = Buffer.alloc(13);
  head.writeUInt32BE(side, 0);
  head.writeUInt32BE(side, 4);
  head.set([8, 2], 8);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(Buffer.concat(Array.from({ length: side }, () => row)))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(name: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name), content]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

/**
 * Makes the menu live in an app, the world's own one for app-b. Its pictures are at `origin`, over plain http, which no
 * menu may name: so it is put into the stored payload.
 */
export async function goLiveIn(
  { api: { sql }, rows }: ConsoleWorld,
  app: AppName,
  origin: string,
): Promise<UploadId> {
  const { storeId } = rows.key;
  const integrationId = app === 'app-b' ? rows.key.integrationId : await connect();
  const { payload, losses, itemIds } = adapterOf(app).transform({
    menu: TAQUERIA,
    store: GOLDEN_STORE,
  });
  const pushed = JSON.stringify(payload).replaceAll(PICTURES, origin);
  const uploadId = await rows.insert({ text: `the menu of ${app}` });
  await sql`
    insert into publication (store_id, integration_id) values (${storeId}::bigint, ${integrationId}::bigint)
    on conflict do nothing`;
  await sql`
    update menu_upload set state = 'uploaded', finished_at = now(), app = ${app},
      integration_id = ${integrationId}::bigint,
      document_sha256 = ${await put(JSON.stringify(TAQUERIA))}, payload_sha256 = ${await put(pushed)},
      item_ids = ${JSON.stringify(Object.fromEntries(itemIds))}::text::jsonb,
      losses = ${JSON.stringify(losses)}::text::json,
      sent_beside = json_build_object('store_id', store_id, 'integration_id', ${integrationId}::bigint::text)
    where upload_id = ${uploadId}`;
  await sql`
    update publication set live_upload_id = ${uploadId}, live_since = now()
    where store_id = ${storeId}::bigint and integration_id = ${integrationId}::bigint`;
  return uploadId;

  async function connect(): Promise<number> {
    const [row] = await sql<{ integrationId: number }[]>`
      insert into integration (app, name, base_url, client_id, client_secret_encrypted)
      values (${app}, 'Lupita', 'http://127.0.0.1:9', 'c', '') returning integration_id`;
    const id = row?.integrationId ?? 0;
    await sql`
      insert into store_integration (store_id, integration_id, delivery_id, credential_encrypted)
      values (${storeId}::bigint, ${id}::bigint, 'd', '')`;
    return id;
  }

  async function put(text: string): Promise<string> {
    const { sha256, contentGzip, size } = packInThread(Buffer.from(text));
    await sql`
      insert into document (sha256, content_gzip, size) values (${sha256}, ${contentGzip}, ${size})
      on conflict do nothing`;
    return sha256;
  }
}
