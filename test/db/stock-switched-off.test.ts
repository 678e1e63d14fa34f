import { setTimeout as sleep } from 'node:timers/promises';
import { randomUUID } from 'node:crypto';
import { lockQueue } from '../../src/availability/sql/changes';
import { markItems } from '../../src/availability/sql/marks';
import { insertItemRequest } from '../../src/availability/sql/requests';
import {
  applyMovement,
  forgetStock,
  insertMovement,
} from '../../src/availability/sql/stock-movements';
import { newId } from '../../src/platform/ids';
import { changeWithStock } from '../../src/stores/routes/store-changes';
import { recordUploadEnd } from '../../src/uploads/sql/upload-end';
import { queueOf } from '../support/availability-queue';
import { countLockWaits } from '../support/lock-waits';
import { until } from '../support/until';
import { useUploadRows } from '../support/upload-rows';

const { database, rows } = useUploadRows();
beforeEach(async () => {
  const running = await rows.insertRunning();
  await recordUploadEnd(database.sql, running, { state: 'uploaded', messages: [] });
  await database.sql`
    update store set availability_from_stock = 'on' where store_id = ${rows.key.storeId}::bigint`;
});

async function runOut(externalId: string): Promise<void> {
  const movementNo = await insertMovement(database.sql, {
    storeId: rows.key.storeId,
    externalId,
    isOut: true,
    saidAt: new Date(),
    eventId: null,
    deliveries: 0,
    waitMs: 0,
    heldKey: null,
  });
  await applyMovement(database.sql, movementNo ?? Number.NaN);
}

const takeOff = (externalId: string, ends: Date | null = null) =>
  insertItemRequest(
    database.sql,
    {
      changeRequestId: newId('avr'),
      storeId: rows.key.storeId,
      userId: rows.userId,
      requestId: 'request',
      targets: [{ integrationId: rows.key.integrationId, named: 'app', refusal: null }],
      waitMs: 0,
      heldKey: null,
    },
    [{ externalId, available: false, until: ends }],
  );

/** Begins the first, then switches stock off, while both wait for the queue; the first gets it first. */
async function switchOffBehind(first: () => Promise<unknown>): Promise<void> {
  const { sql } = database;
  const both: Promise<unknown>[] = [];
  await sql.begin(async (tx) => {
    // Not changed, or the two would race for its new version.
    await tx`
      select from availability_queue where store_id = ${rows.key.storeId}::bigint for no key update`;
    for (const begin of [first, () => sql.begin((other) => forgetStock(other, rows.key.storeId))]) {
      both.push(begin());
      await until(async () => (await countLockWaits(database.sql)) === both.length);
    }
  });
  await Promise.all(both);
}

const listOff = () => database.sql`
  select external_id, by_api, by_stock from availability_mark
  where store_id = ${rows.key.storeId}::bigint`;

/** What the app is told next. */
const listWaiting = () => database.sql`
  select external_id, available from availability_item
  where store_id = ${rows.key.storeId}::bigint and state = 'waiting'`;

test('an item that a caller takes off sale while stock is switched off is not put back', async () => {
  await runOut('I1');
  await switchOffBehind(() => takeOff('I1'));
  expect([...(await listOff())]).toEqual([{ externalId: 'I1', byApi: true, byStock: false }]);
  expect([...(await listWaiting())]).toEqual([{ externalId: 'I1', available: false }]);
});

test('an item whose time ends while stock is switched off is put back', async () => {
  await takeOff('I1', new Date(Date.now() + 500));
  await runOut('I1');
  // As if the app had been told.
  await database.sql`
    update availability_mark set may_be_off = true where store_id = ${rows.key.storeId}::bigint`;
  await sleep(600);
  await switchOffBehind(() => queueOf(database.sql, rows).claim());
  expect([...(await listOff())]).toEqual([]);
  expect([...(await listWaiting())]).toEqual([{ externalId: 'I1', available: true }]);
});

test('a store can get a name and have stock switched off while an item in it goes off sale', async () => {
  const { sql } = database;
  const { storeId } = rows.key;
  await runOut('I1');
  let changing: Promise<unknown> | undefined;
  await sql.begin(async (tx) => {
    await lockQueue(tx, rows.key);
    const name = { shown: 'New', key: randomUUID() };
    changing = changeWithStock(sql, storeId, { name, availabilityFromStock: 'off' });
    changing.catch(() => {}); // awaited below
    await until(async () => (await countLockWaits(database.sql)) === 1);
    const cause = { source: 'api', changeId: newId('avc'), tells: true } as const;
    await markItems(tx, rows.key, cause, [{ externalId: 'I2', until: null }]);
  });
  await changing;
  expect([...(await listOff())]).toEqual([{ externalId: 'I2', byApi: true, byStock: false }]);
});
