import { entryOfList } from '../../src/http/csv/csv-lists';
import { ROUTES } from '../../src/run/routes';
import { startTestApi, type TestApi, type TestCaller } from '../support/api';
import {
  createLinkedStore,
  endDelivery,
  type LinkedStore,
  STOCK_EVENT,
} from '../support/inventory';

let api: TestApi;
let linked: LinkedStore;
let refused: string;
const CSV = { accept: 'text/csv' };

beforeAll(async () => {
  api = await startTestApi({ ACK_WAIT: '100ms' });
  linked = await createLinkedStore(api, 'Tables');
  for (let n = 0; n < 3; n += 1) {
    const path = `/pos/store/${linked.storeId}/inventory/stock`;
    const { json } = await linked.owner.post(path, STOCK_EVENT);
    refused = json.data.deliveries[0].delivery_id;
  }
  await endDelivery(api.sql, refused, {
    state: 'refused',
    status: 422,
    message: '=SUM(A1), "quoted"',
  });
});
afterAll(() => api.stop());

/** The rows of a table without line ends in its cells. */
async function table(caller: TestCaller, path: string): Promise<string[]> {
  const { status, text } = await caller.get(path, CSV);
  if (status !== 200) throw new Error(text);
  expect(text.endsWith('\r\n')).toBe(true);
  return text.slice(0, -2).split('\r\n');
}

test('a list of deliveries: a column for each member, dots for those of inner objects', async () => {
  const [header, ...rows] = await table(linked.owner, '/webhooks/deliveries?limit=1');
  expect(header).toBe(
    'delivery_id,inventory_system_id,type,store_id,state,attempts_made,next_attempt_at,created_at,finished_at,' +
      'receiver_status,message,waiting_for.reason,waiting_for.message,waiting_for.since,waiting_for.attempts,' +
      'waiting_for.next_attempt_at',
  );
  expect(rows).toHaveLength(3);
  expect(rows[0]).toMatch(
    new RegExp(
      `^${refused},${linked.systemId},2,${linked.storeId},refused,1,,\\d{4}-[^,]*Z,\\d{4}-[^,]*Z,422,` +
        `"'=SUM\\(A1\\), ""quoted""",,,,,$`,
    ),
  );
  expect(rows[1]).toMatch(/^dlv_\w+,[^,]+,2,\d+,pending,0,/);
});

test('with the filters of the list, and from its cursor on', async () => {
  expect(await table(linked.owner, '/webhooks/deliveries?state=refused')).toHaveLength(2);
  const { json } = await linked.owner.get('/webhooks/deliveries?limit=1');
  const cursor: string = json.next_cursor;
  expect(await table(linked.owner, `/webhooks/deliveries?cursor=${cursor}`)).toHaveLength(3);
});

test('nothing but the names of the columns if nothing is found', async () => {
  expect(await table(await api.user(), '/webhooks/deliveries')).toHaveLength(1);
});

test('as UTF-8 with a byte order mark', async () => {
  const answer = await fetch(`${api.url}/api/v1/store`, {
    headers: { ...CSV, authorization: `Bearer ${linked.owner.token}` },
  });
  const bytes = Buffer.from(await answer.arrayBuffer());
  expect(bytes.subarray(0, 6).toString('latin1')).toBe('\xEF\xBB\xBFid,');
  expect(answer.headers.get('content-length')).toBe(String(bytes.length));
});

/** The type of the answer to a caller who accepts this. */
async function asked(accept?: string) {
  const { headers } = await linked.owner.get('/store', accept === undefined ? {} : { accept });
  expect(headers.get('vary')).toBe('Accept');
  return headers.get('content-type');
}

test('only who asks for it gets it, and caches are told', async () => {
  expect(await asked('text/csv')).toBe('text/csv; charset=utf-8');
  expect(await asked('text/csv, application/json;q=0.5')).toBe('text/csv; charset=utf-8');
  expect(await asked('text/csv;charset=UTF-8')).toBe('text/csv; charset=utf-8');
  expect(await asked('text/csv; header=present; charset=utf-8')).toBe('text/csv; charset=utf-8');
  expect(await asked('application/problem+json, text/csv')).toBe('text/csv; charset=utf-8');
  expect(await asked('text/html, */*;q=0.8')).toBe('application/json; charset=utf-8');
  expect(await asked('application/json;charset=utf-8, text/csv;q=0.9')).toBe(
    'application/json; charset=utf-8',
  );
  expect(await asked('text/csv;charset=utf-8;q=0')).toBe('application/json; charset=utf-8');
  expect(await asked('*/*')).toBe('application/json; charset=utf-8');
  expect(await asked('image/png')).toBe('application/json; charset=utf-8');
  expect(await asked()).toBe('application/json; charset=utf-8');
});

test('errors stay as they are', async () => {
  expect(await linked.owner.get('/webhooks/deliveries?limit=x', CSV)).toMatchObject({
    status: 422,
    json: { limit: ['The limit must be a number.'] },
  });
  expect(await linked.owner.get('/webhooks/deliveries?cursor=x', CSV)).toMatchObject({
    status: 422,
    json: { cursor: ['The selected cursor is invalid.'] },
  });
  expect(await linked.owner.get('/store/999999/integrations', CSV)).toMatchObject({ status: 404 });
});

test('past 10,000 rows a link leads on', async () => {
  const many = await api.user();
  await api.sql`
    with made as (
      insert into store (name, name_key, country_code, created_by)
      select '-' || n, 'n ' || n, 'MX', ${many.userId} from generate_series(1, 10003) n
      returning store_id
    )
    insert into user_store (user_id, store_id) select ${many.userId}, store_id from made`;
  const { text, headers } = await many.get('/store?limit=7', CSV);
  const rows = text.slice(0, -2).split('\r\n').slice(1);
  expect(rows).toHaveLength(10_000);
  expect(new Set(rows).size).toBe(10_000);
  expect(rows[0]).toMatch(/^\d+,'-10003,Mexico,,,,,off$/);
  const link = /^<\/api\/v1(\/store\?limit=7&cursor=[\w-]+)>; rel="next"$/.exec(
    headers.get('link') ?? '',
  );
  const rest = await many.get(link?.[1] ?? '', CSV);
  expect(rest.text.slice(0, -2).split('\r\n').slice(1)).toHaveLength(3);
  expect(rest.headers.get('link')).toBeNull();
});

describe('each list of the API', () => {
  const lists = ROUTES.filter((route) => entryOfList(route));

  test('is known', () => {
    expect(lists.map(({ id }) => id)).toEqual(
      expect.arrayContaining([
        'listDeliveries',
        'listInventorySystems',
        'listRollouts',
        'listStores',
        'listUnavailable',
        'listUploads',
      ]),
    );
  });

  test.each(lists.filter(({ path, query }) => !path.includes('{') && !query.schema?.required))(
    '$path answers the columns of its entries',
    async ({ path }) => {
      const operator = await api.user('operator');
      const [header, ...rows] = await table(operator, path.replace('/api/v1', ''));
      const { json } = await operator.get(`${path.replace('/api/v1', '')}?limit=100`);
      const columns = header?.split(',').map((column) => column.split('.')[0]) ?? [];
      for (const entry of json.data.slice(0, 10)) {
        expect(columns).toEqual(expect.arrayContaining(Object.keys(entry)));
      }
      expect(rows.length).toBeGreaterThanOrEqual(Math.min(json.data.length, 1));
    },
  );
});
