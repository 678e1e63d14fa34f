import { listFailedPublications } from '../../src/console/sql/failed-publications';
import { connect, type Sql } from '../../src/platform/db/client';
import type { UserId } from '../../src/platform/ids';
import { listRollouts } from '../../src/rollouts/sql/rollouts';
import { listLinks } from '../../src/stores/sql/store-link-views';
import { listStores } from '../../src/stores/sql/store-views';
import { FEW_STORES } from '../../src/users/sql/store-access';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { readingOf } from '../support/rows-read';
import { prepareUploadRows, type UploadRows } from '../support/upload-rows';

const OF_OTHERS = 5_000;
const SYSTEM = '00000000-0000-4000-8000-00000000000';
const PAGE = 26;

let database: TestDatabase;
/** One connection: what was planned on empty tables stays planned. */
let sql: Sql;
let quiet: UploadRows;

beforeAll(async () => {
  database = await createTestDatabase();
  const busy = await prepareUploadRows(database.sql);
  quiet = await prepareUploadRows(database.sql);
  await busy.insert();
  await quiet.insert();
  await database.sql`analyze`;
  sql = connect(database.url, { max: 1 });
  for (const list of Object.values(LISTS)) await list(sql);
  await fill(busy);
});
afterAll(async () => {
  await sql.end();
  await database.drop();
});

const viewer = () => ({ userId: quiet.userId, seesAll: false });
const LISTS = {
  user_store: (own: Sql) => listStores(own, viewer(), { limit: PAGE }),
  store_link: (own: Sql) => listLinks(own, `${SYSTEM}2`, { limit: PAGE }),
  rollout: (own: Sql) => listRollouts(own, viewer(), { limit: PAGE }),
};

/** One row of each kind for the quiet user, and `OF_OTHERS` newer ones of another. */
async function fill({ key, userId }: UploadRows) {
  const each = [
    [quiet.userId, quiet.key, 1, 1, 2],
    [userId, key, OF_OTHERS, 2, 1],
  ] as const;
  for (const [user, { storeId, integrationId }, count, first, system] of each) {
    await putRows({ user, storeId, integrationId, count, first, system: `${SYSTEM}${system}` });
  }
}

async function putRows(put: {
  readonly user: UserId;
  readonly storeId: number;
  readonly integrationId: number;
  readonly count: number;
  readonly first: number;
  readonly system: string;
}) {
  const { user, storeId, integrationId, count, first, system } = put;
  const numbers = database.sql`generate_series(${first}::int, ${first + count - 1}::int) n`;
  await database.sql`
    insert into inventory_system (inventory_system_id, name, name_key, created_by)
    values (${system}::uuid, 's', ${system}, ${user})`;
  await database.sql`
    with made as (
      insert into store (name, name_key, country_code) select 'S', 'store ' || n, 'DE' from ${numbers}
      returning store_id
    ), had as (
      insert into user_store (user_id, store_id) select ${user}, store_id from made
    )
    insert into store_link (store_id, inventory_system_id, external_store_id)
    select store_id, ${system}::uuid, 'ext' from made`;
  await database.sql`
    insert into rollout (rollout_id, user_id, request_id, state, parallel, stop_after_failures, menu_count, sent_beside,
      counts)
    select 'rol_' || lpad(n::text, 32, '0'), ${user}, 'r', 'done', 1, 0, 1, '{}', '{}' from ${numbers}`;
  await database.sql`
    insert into menu_upload (upload_id, store_id, integration_id, seq, user_id, request_id, document_sha256, state,
      finished_at)
    select 'upl_' || lpad(n::text, 32, '0'), ${storeId}::bigint, ${integrationId}::bigint, 100 + n, ${user}, 'r',
      (select sha256 from document limit 1), 'failed', now() from ${numbers}`;
}

describe.each([
  ['planned while it was empty', () => sql],
  [
    'planned when nearly all was of another',
    async () => {
      await database.sql`analyze`;
      return database.sql;
    },
  ],
])('a list of a small table, %s,', (_, connection) => {
  test.each([
    ['user_store', 2],
    ['store_link', 1],
    ['rollout', 1],
  ] as const)('reads of %s only what it shows', async (table, shown) => {
    const pattern = table.replaceAll('_', '\\_');
    const { value, rows: read } = await readingOf<readonly unknown[]>(
      pattern,
      await connection(),
      LISTS[table],
    );
    expect(value).toHaveLength(shown);
    expect(read).toBeLessThanOrEqual(4 * shown);
  });
});

test('the failed uploads of a quiet store are found beside those of a busy one', async () => {
  const { value, rows: read } = await readingOf('menu\\_upload', database.sql, (own) =>
    listFailedPublications(own, viewer()),
  );
  expect(value).toHaveLength(1);
  expect(read).toBeLessThanOrEqual(4);
});

test('those of a user of many stores are looked for among everybody’s, and not in each store', async () => {
  await database.sql`
    insert into user_store (user_id, store_id)
    select ${quiet.userId}, store_id from store order by store_id desc limit ${5 * FEW_STORES}
    on conflict do nothing`;
  await database.sql`analyze`;
  const { value, looks } = await readingOf('menu\\_upload', database.sql, (own) =>
    listFailedPublications(own, viewer()),
  );
  expect(value).toHaveLength(1);
  expect(looks).toBeLessThan(FEW_STORES);
});
