import { setTimeout as sleep } from 'node:timers/promises';
import {
  applyMovement,
  forgetStock,
  insertMovement,
} from '../../src/availability/sql/stock-movements';
import type { Sql } from '../../src/platform/db/client';
import { recordUploadEnd } from '../../src/uploads/sql/upload-end';
import { readingOf } from '../support/rows-read';
import { useUploadRows } from '../support/upload-rows';

const { database, rows } = useUploadRows();
beforeEach(async () => {
  const running = await rows.insertRunning();
  await recordUploadEnd(database.sql, running, { state: 'uploaded', messages: [] });
  await switchTo(database.sql, 'on');
});

async function switchTo(sql: Sql, value: 'on' | 'off'): Promise<void> {
  await sql`
    update store set availability_from_stock = ${value} where store_id = ${rows.key.storeId}::bigint`;
}

const switchOff = () =>
  database.sql.begin(async (tx) => {
    await switchTo(tx as Sql, 'off');
    return forgetStock(tx, rows.key.storeId);
  });

/** Of so many hours after now. */
async function keepMovement(externalId: string, isOut: boolean, hours: number): Promise<number> {
  const movementNo = await insertMovement(database.sql, {
    storeId: rows.key.storeId,
    externalId,
    isOut,
    saidAt: new Date(Date.now() + hours * 3_600_000),
    eventId: null,
    deliveries: 0,
    waitMs: 0,
    heldKey: null,
  });
  return movementNo ?? Number.NaN;
}

const move = async (externalId: string, isOut: boolean, hours: number) =>
  applyMovement(database.sql, await keepMovement(externalId, isOut, hours));

async function listOff(): Promise<string[]> {
  const marks = await database.sql<{ externalId: string }[]>`
    select external_id from availability_mark where store_id = ${rows.key.storeId}::bigint`;
  return marks.map((mark) => mark.externalId);
}

test('what stock said before it was switched off decides nothing when it is on again', async () => {
  await move('I1', true, -19);
  expect(await listOff()).toEqual(['I1']);
  const early = await keepMovement('I2', true, -19);
  expect(await switchOff()).toHaveLength(1);
  expect(await listOff()).toEqual([]);
  await switchTo(database.sql, 'on');
  expect(await applyMovement(database.sql, early)).toEqual([]);
  expect(await listOff()).toEqual([]);
  // Older than the movement that was forgotten.
  await move('I1', true, -30);
  expect(await listOff()).toEqual(['I1']);
  await move('I1', false, -40);
  expect(await listOff()).toEqual(['I1']);
});

test('however many items have moved, switching stock off reads none of them', async () => {
  await database.sql`
    insert into stock_level (store_id, external_id, movement_no, moved_at, is_out)
    select ${rows.key.storeId}::bigint, 'I' || n, n, now(), false from generate_series(1, 20000) n`;
  await database.sql`
    insert into stock_movement (store_id, external_id, is_out, moved_at, counts_at)
    select ${rows.key.storeId}::bigint, 'I' || n, false, now(), now() from generate_series(1, 20000) n`;
  const read = await readingOf('stock\\_%', database.sql, async (tx) => {
    await switchTo(tx, 'off');
    return forgetStock(tx as never, rows.key.storeId);
  });
  expect(read).toMatchObject({ rows: 0, looks: 0 });
});

test('a movement that is applied while stock is switched off has no effect, and neither fails', async () => {
  const movementNo = await keepMovement('I1', true, -19);
  let applying: Promise<unknown> | undefined;
  await database.sql.begin(async (tx) => {
    await switchTo(tx as Sql, 'off');
    applying = applyMovement(database.sql, movementNo);
    // It holds its own row now, and waits for the store's.
    await sleep(500);
    await forgetStock(tx, rows.key.storeId);
  });
  expect(await applying).toEqual([]);
  expect(await listOff()).toEqual([]);
});

test('a movement that leaves an item as it is does not touch the queue', async () => {
  const key = rows.key;
  const queues = () => database.sql`
    select from availability_queue where store_id = ${key.storeId}::bigint`;
  expect(await move('I1', false, -19)).toEqual([]);
  expect(await queues()).toHaveLength(0);
  expect(await move('I1', true, -18)).toEqual([{ key, leased: false }]);
  expect(await move('I1', true, -17)).toEqual([]);
  expect(await move('I1', false, -16)).toEqual([{ key, leased: false }]);
  expect(await listOff()).toEqual([]);
});

test('an item that stock holds off sale comes back with its stock although no menu is live any more', async () => {
  await move('I1', true, -19);
  await move('I2', true, -19);
  await database.sql`
    update publication set live_upload_id = null where store_id = ${rows.key.storeId}::bigint`;
  expect(await move('I1', false, -18)).toEqual([]);
  await move('I3', true, -18);
  expect(await listOff()).toEqual(['I2']);
});

test('a date counts if a clock that is nearly right can have written it; else the movement is as new as its acceptance', async () => {
  // A till of which the clock is ahead by ten years.
  await move('I1', false, -1);
  await move('I1', true, 88_000);
  expect(await listOff()).toEqual(['I1']);
  await move('I1', false, 0);
  expect(await listOff()).toEqual([]);
  // Behind by as much.
  await move('I1', true, -88_000);
  expect(await listOff()).toEqual(['I1']);
  // A little: what it says is compared.
  await move('I2', true, 0.07);
  await move('I2', false, 0);
  await move('I3', true, -150);
  await move('I3', false, -151);
  expect((await listOff()).toSorted()).toEqual(['I1', 'I2', 'I3']);
});
