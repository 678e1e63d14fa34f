import { listUnavailableEntries } from '../../src/availability/sql/views';
import type { UserId } from '../../src/platform/ids';
import { LOOKED_AT } from '../../src/platform/db/look-back';
import { FEW_STORES } from '../../src/users/sql/store-access';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { readingOf } from '../support/rows-read';
import { prepareUploadRows, type UploadRows } from '../support/upload-rows';

const MANY = 5_000;
const FEW = 3;
const OPERATOR = { userId: 'usr_operator' as UserId, seesAll: true };

let database: TestDatabase;
let quiet: UploadRows;
let busy: UploadRows;

beforeAll(async () => {
  database = await createTestDatabase();
  [quiet, busy] = [await prepareUploadRows(database.sql), await prepareUploadRows(database.sql)];
  await takeOffSale(quiet, FEW);
  await takeOffSale(busy, MANY);
  await database.sql`analyze availability_mark`;
});
afterAll(() => database.drop());

async function takeOffSale({ key }: UploadRows, items: number): Promise<void> {
  await database.sql`
    insert into availability_mark (store_id, integration_id, external_id, by_api, by_stock, change_id)
    select ${key.storeId}::bigint, ${key.integrationId}::bigint, 'item ' || n, true, false, 'chg_ended'
    from generate_series(1, ${items}::int) n`;
}

function list(
  rows: UploadRows,
  filter: Partial<Parameters<typeof listUnavailableEntries>[2]> = {},
) {
  return readingOf('availability\\_mark', database.sql, (sql) =>
    listUnavailableEntries(sql, { userId: rows.userId, seesAll: false }, { limit: 26, ...filter }),
  ).then(({ value, ...read }) => ({
    ...read,
    value: value.rows,
    continuesBehind: value.continuesBehind,
  }));
}

test('what is off sale in one quiet store is listed without reading what is in others', async () => {
  const { value, rows } = await list(quiet);
  expect(value.map(({ externalId }) => externalId)).toEqual(['item 3', 'item 2', 'item 1']);
  expect(rows).toBeLessThanOrEqual(2 * FEW);
});

test('a page of a busy store reads no more than the page', async () => {
  const first = await list(busy);
  expect(first.value.map(({ externalId }) => externalId)).toEqual(
    Array.from({ length: 26 }, (_, at) => `item ${MANY - at}`),
  );
  expect(first.rows).toBeLessThanOrEqual(2 * 26);
  const second = await list(busy, { before: first.value.at(-1)?.markNo ?? 0 });
  expect(second.value[0]?.externalId).toBe(`item ${MANY - 26}`);
  expect(second.rows).toBeLessThanOrEqual(2 * 26);
});

test('filters hold, and stores of others are not seen', async () => {
  const { storeId, integrationId } = quiet.key;
  expect((await list(quiet, { storeId, integrationId })).value.length).toBe(FEW);
  expect((await list(quiet, { storeId: busy.key.storeId })).value).toEqual([]);
  expect((await list(quiet, { integrationId: busy.key.integrationId })).value).toEqual([]);
});

describe('a user of several stores, and one of more than are read one by one', () => {
  beforeAll(async () => {
    await database.sql`
      insert into user_store (user_id, store_id) values (${quiet.userId}, ${busy.key.storeId}::bigint)`;
  });

  test.each([2, FEW_STORES, FEW_STORES + 1])(
    'with %p stores the list is that of everybody',
    async (stores) => {
      await database.sql`
        with made as (
          insert into store (name, name_key, country_code)
          select 'S', 's' || n, 'MX' from generate_series(
            1 + (select count(*)::int from user_store where user_id = ${quiet.userId}), ${stores}::int) n
          returning store_id
        )
        insert into user_store (user_id, store_id) select ${quiet.userId}, store_id from made`;
      for (const filter of [{}, { storeId: quiet.key.storeId }] as const) {
        const page = { limit: MANY + FEW, ...filter };
        const { rows: everybodys } = await listUnavailableEntries(database.sql, OPERATOR, page);
        expect(everybodys.length).toBeGreaterThan(0);
        expect((await list(quiet, page)).value).toEqual(everybodys);
      }
    },
  );
});

test('of a deleted store nothing is listed, for its users and for operators', async () => {
  const gone = await prepareUploadRows(database.sql);
  await takeOffSale(gone, FEW);
  const off = async () => [
    (await list(gone)).value.length,
    (await listUnavailableEntries(database.sql, OPERATOR, { limit: 26, ...gone.key })).rows.length,
  ];
  expect(await off()).toEqual([FEW, FEW]);
  await database.sql`update store set deleted_at = now() where store_id = ${gone.key.storeId}::bigint`;
  expect(await off()).toEqual([0, 0]);
});

test('a page of a user of many stores, of which few have anything off sale, looks at a bounded number of marks', async () => {
  const { storeId } = quiet.key;
  await database.sql`
    delete from user_store where user_id = ${quiet.userId} and store_id <> ${storeId}::bigint`;
  await database.sql`
    with made as (
      insert into store (name, name_key, country_code)
      select 'S', 'other' || n, 'MX' from generate_series(1, ${FEW_STORES}::int) n returning store_id
    )
    insert into user_store (user_id, store_id) select ${quiet.userId}, store_id from made`;
  await database.sql`
    update availability_mark set external_id = 'old ' || external_id
    where store_id = ${busy.key.storeId}::bigint`;
  for (let rounds = 0; rounds < 9; rounds += 1) {
    await takeOffSale(busy, MANY);
    await database.sql`
      update availability_mark set external_id = ${`old ${rounds} `} || external_id
      where store_id = ${busy.key.storeId}::bigint and external_id like 'item%'`;
  }
  await database.sql`analyze availability_mark`;
  const first = await list(quiet);
  expect([first.value, first.continuesBehind]).toEqual([[], expect.any(Number)]);
  // Twice: the second time to see whether there are more.
  expect(first.rows).toBeLessThan(2.2 * LOOKED_AT);
  const second = await list(quiet, { before: first.continuesBehind ?? 0 });
  const third = await list(quiet, { before: second.continuesBehind ?? 0 });
  expect(third.value.map(({ externalId }) => externalId)).toEqual(['item 3', 'item 2', 'item 1']);
  expect(third.continuesBehind).toBeNull();
  const ofStore = await list(quiet, { storeId });
  expect(ofStore.value).toEqual(third.value);
  expect(ofStore.rows).toBeLessThanOrEqual(2 * FEW);
});
