import { startTestApi, type TestApi, type TestCaller } from '../support/api';
import { createLinkedStore, type LinkedStore, STOCK_EVENT } from '../support/inventory';
import { undescribed } from '../support/openapi-reader';
import { prepareUploadRows, type UploadRows } from '../support/upload-rows';

let api: TestApi;
let operator: TestCaller;
let owner: TestCaller;
let stranger: TestCaller;

beforeAll(async () => {
  api = await startTestApi({ ACK_WAIT: '100ms' });
  operator = await api.user('operator');
  owner = await api.user('inventory:create');
  stranger = await api.user();
});
afterAll(() => api.stop());

async function makeStore(name: string, by = owner): Promise<number> {
  const { json, text } = await by.post('/store', { name, country_code: 'MX' });
  if (!json?.data?.id) throw new Error(text);
  return json.data.id;
}

async function found(q: string, caller = owner): Promise<Record<string, unknown>[]> {
  const answer = await caller.get(`/search?q=${encodeURIComponent(q)}`);
  expect(answer.status).toBe(200);
  expect(undescribed('search', answer)).toEqual([]);
  return answer.json.data;
}

async function stores(q: string, caller = owner, more = ''): Promise<number[]> {
  const { json } = await caller.get(`/store?q=${encodeURIComponent(q)}${more}`);
  return json.data.map(({ id }: { id: number }) => id);
}

describe('stores by their name', () => {
  let cafe: number;
  let bakery: number;
  let street: number;

  beforeAll(async () => {
    cafe = await makeStore('Café Ñandú – Plaza del Sol');
    bakery = await makeStore('BÄCKEREI Straßenfest');
    street = await makeStore('Łódź Σίσυφος plaza');
  });

  test('each word is somewhere in it, in any order; case and accents do not matter', async () => {
    expect(await stores('cafe')).toEqual([cafe]);
    expect(await stores('  ñandu   CAFÉ ')).toEqual([cafe]);
    expect(await stores('nandu')).toEqual([cafe]);
    expect(await stores('afé lAz')).toEqual([cafe]);
    expect(await stores('plaza')).toEqual([street, cafe]);
    expect(await stores('plaza nirgends')).toEqual([]);
    expect(await stores('strassenFEST')).toEqual([bakery]);
    expect(await stores('Straße backer')).toEqual([bakery]);
    expect(await stores('lodz')).toEqual([street]);
    expect(await stores('ΣΊΣΥΦΟΣ')).toEqual([street]);
    expect(await stores('ﬁ')).toEqual([]);
  });

  test('no character has a meaning of its own', async () => {
    expect(await stores('%')).toEqual([]);
    expect(await stores('caf_')).toEqual([]);
    expect(await stores('\\')).toEqual([]);
    expect(await stores('–')).toEqual([cafe]);
  });

  test('in pages', async () => {
    const { json } = await owner.get('/store?q=plaza&limit=1');
    expect(json.data[0].id).toBe(street);
    expect(await stores('plaza', owner, `&limit=1&cursor=${json.next_cursor}`)).toEqual([cafe]);
  });

  test('only those that the caller has; an operator finds all', async () => {
    expect(await stores('nandu', stranger)).toEqual([]);
    expect(await stores('nandu', operator)).toEqual([cafe]);
    expect(await found('nandu', stranger)).toEqual([]);
    expect(await found('nandu', operator)).toEqual([
      {
        kind: 'store',
        id: String(cafe),
        title: 'Café Ñandú – Plaza del Sol',
        state: null,
        url: `/api/v1/store/${cafe}`,
      },
    ]);
  });

  test('a new name is found, the old one and a deleted store are not', async () => {
    const storeId = await makeStore('Antes');
    await owner.patch(`/store/${storeId}`, { name: 'Después' });
    expect(await stores('antes')).toEqual([]);
    expect(await stores('despues')).toEqual([storeId]);
    await owner.remove(`/store/${storeId}`);
    expect(await stores('despues')).toEqual([]);
    expect(await stores(String(storeId))).toEqual([]);
    expect(await stores('deleted', operator)).toEqual([]);
  });
});

describe('stores by an id', () => {
  test('their own, exactly: names with these digits are not listed then', async () => {
    const storeId = await makeStore('By id');
    const named = await makeStore(`Number ${storeId}`);
    expect(await stores(String(storeId))).toEqual([storeId]);
    expect(await stores(String(storeId), operator)).toEqual([storeId]);
    expect(await stores(String(storeId), stranger)).toEqual([]);
    expect(await stores(`number ${storeId}`)).toEqual([named]);
  });

  test('what an app calls them, exactly', async () => {
    const storeId = await makeStore('Connected');
    const [integration] = await api.sql<{ integrationId: number }[]>`
      insert into integration (app, name) values ('app-b', 'B') returning integration_id`;
    await api.sql`
      insert into store_integration (store_id, integration_id, delivery_id)
      values (${storeId}, ${integration?.integrationId ?? 0}, 'Shop-77')`;
    for (const q of ['Shop-77', ' Shop-77 ']) expect(await stores(q)).toEqual([storeId]);
    for (const q of ['shop-77', 'Shop-7']) expect(await stores(q)).toEqual([]);
    expect(await found('Shop-77', operator)).toMatchObject([
      { kind: 'store', id: String(storeId) },
    ]);
    expect(await found('Shop-77', stranger)).toEqual([]);
  });
});

test('a user of many stores finds theirs, also behind the newest', async () => {
  const many = await api.user();
  const old = await makeStore('Überall zuhause', many);
  await api.sql`
    with made as (
      insert into store (name, name_key, country_code, created_by)
      select 'Filial ' || n, 'filial ' || n, 'MX', ${many.userId} from generate_series(1, 1200) n
      returning store_id
    )
    insert into user_store (user_id, store_id) select ${many.userId}, store_id from made`;
  for (const caller of [many, operator]) {
    expect(await stores('uberall', caller)).toEqual([old]);
    expect(await stores('uber ll', caller)).toEqual([old]);
    expect(await stores('filial', caller, '&limit=100')).toHaveLength(100);
    expect(await stores('zz', caller)).toEqual([]);
  }
  expect(await stores('filial', stranger)).toEqual([]);
});

describe('uploads, rollouts and items', () => {
  let rows: UploadRows;
  let uploadId: string;
  const title = expect.stringMatching(/., ./);

  beforeAll(async () => {
    rows = await prepareUploadRows(api.sql);
    ({ uploadId } = await rows.insertRunning());
    await api.sql`update menu_upload set request_id = 'phone-1' where upload_id = ${uploadId}`;
  });

  test('an upload by its id, and by its request', async () => {
    const upload = {
      kind: 'upload',
      id: uploadId,
      title,
      state: 'running',
      url: `/api/v1/menus/uploads/${uploadId}`,
    };
    expect(await found(uploadId, operator)).toEqual([upload]);
    expect(await found(` ${uploadId} `, operator)).toEqual([upload]);
    // As it comes out of a chat: with a direction mark and a byte order mark.
    expect(await found(`\uFEFF${uploadId}\u200E`, operator)).toEqual([upload]);
    expect(await found('\u200B', operator)).toEqual([]);
    expect(await found('phone-1', operator)).toEqual([upload]);
    expect(await found(uploadId, stranger)).toEqual([]);
    expect(await found('phone-1', stranger)).toEqual([]);
    expect(await found(uploadId.slice(0, -1), operator)).toEqual([]);
  });

  test('a rollout by its id and its request, for who started it', async () => {
    const rolloutId = 'rol_01a1fe1f790b9b594112a9ef590f17f0';
    await api.sql`
      insert into rollout (rollout_id, user_id, request_id, parallel, stop_after_failures, menu_count, sent_beside, state,
        finished_at, counts)
      values (${rolloutId}, ${owner.userId}, 'phone-2', 1, 0, 1, '{}', 'done', now(), '{"uploaded":2,"failed":1}')`;
    const rollout = {
      kind: 'rollout',
      id: rolloutId,
      title: 'Rollout to 3 targets, 1 failed',
      state: 'done',
      url: `/api/v1/menus/rollouts/${rolloutId}`,
    };
    for (const q of [rolloutId, 'phone-2']) {
      expect(await found(q)).toEqual([rollout]);
      expect(await found(q, operator)).toEqual([rollout]);
      expect(await found(q, stranger)).toEqual([]);
    }
    await api.sql`update menu_upload set request_id = 'phone-2' where upload_id = ${uploadId}`;
    // Its uploads come from the same request, and may be hundreds.
    expect((await found('phone-2', operator))[0]).toEqual(rollout);
    await api.sql`update menu_upload set request_id = 'phone-1' where upload_id = ${uploadId}`;
  });

  test('an item that is off sale, by its external id', async () => {
    const [place] = await api.sql<{ storeId: number; integrationId: number }[]>`
      insert into availability_mark (store_id, integration_id, external_id, by_api, by_stock, change_id)
      select store_id, integration_id, 'Ñoquis 1', true, false, 'avc_1' from menu_upload
      where upload_id = ${uploadId} returning store_id, integration_id`;
    const item = {
      kind: 'item',
      id: 'Ñoquis 1',
      title,
      state: 'done',
      url: `/api/v1/menus/availability?store_id=${place?.storeId}&integration_id=${place?.integrationId}`,
    };
    expect(await found('Ñoquis 1', operator)).toEqual([item]);
    expect(await found('ñoquis 1', operator)).toEqual([]);
    expect(await found('Ñoquis 1', stranger)).toEqual([]);
    await api.sql`
      insert into user_store (user_id, store_id) values (${stranger.userId}, ${place?.storeId ?? 0})`;
    expect(await found('Ñoquis 1', stranger)).toEqual([item]);
    const { json } = await stranger.get(item.url.replace('/api/v1', ''));
    expect(json.data).toMatchObject([{ external_id: 'Ñoquis 1' }]);
  });
});

describe('deliveries and inventory systems', () => {
  let linked: LinkedStore;
  let deliveryId: string;

  beforeAll(async () => {
    linked = await createLinkedStore(api, 'Almacén Größe');
    const { json } = await linked.owner.post(
      `/pos/store/${linked.storeId}/inventory/stock`,
      STOCK_EVENT,
      { 'x-request-id': 'phone-3' },
    );
    deliveryId = json.data.deliveries[0].delivery_id;
  });

  test('a delivery by its id, the id of its message, and its request', async () => {
    const delivery = {
      kind: 'delivery',
      id: deliveryId,
      title: 'Stock movement, Almacén Größe',
      state: 'pending',
      url: `/api/v1/webhooks/deliveries/${deliveryId}`,
    };
    for (const q of [deliveryId, deliveryId.replace('dlv_', 'msg_'), 'phone-3']) {
      expect(await found(q, linked.owner)).toEqual([delivery]);
      expect(await found(q, operator)).toEqual([delivery]);
      expect(await found(q, stranger)).toEqual([]);
    }
  });

  test('a system by its id and by words of its name, for who made it', async () => {
    const system = {
      kind: 'inventory_system',
      id: linked.systemId,
      title: 'Almacén Größe',
      state: null,
      url: `/api/v1/inventory/system/${linked.systemId}`,
    };
    for (const q of [linked.systemId, linked.systemId.toUpperCase(), 'almacen', 'GROSSE alma']) {
      expect(await found(q, linked.owner)).toEqual([system]);
      expect(await found(q, operator)).toEqual([system]);
      expect(await found(q, stranger)).toEqual([]);
    }
    // The id of a store is no word of a name.
    const { storeId, systemId, owner: maker } = linked;
    await maker.patch(`/inventory/system/${systemId}`, { name: `Depot ${storeId}` });
    expect(await found(`depot ${storeId}`, maker)).toMatchObject([{ kind: 'inventory_system' }]);
    expect(await found(String(storeId), maker)).toMatchObject([{ kind: 'store' }]);
  });
});

test('no more than 20 are answered', async () => {
  for (let n = 0; n < 25; n += 1) await makeStore(`Sucursal ${n}`);
  expect(await found('sucursal')).toHaveLength(20);
  expect(await found('zzz')).toEqual([]);
});
