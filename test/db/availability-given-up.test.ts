import { postponeQueue } from '../../src/availability/sql/pauses';
import { queueOf } from '../support/availability-queue';
import { useUploadRows } from '../support/upload-rows';

const DAY_MS = 24 * 3_600_000;
const HOUR_MS = 3_600_000;

const { database, rows } = useUploadRows();
let queue: ReturnType<typeof queueOf>;
beforeEach(async () => {
  queue = queueOf(database.sql, rows);
  await queue.connect();
});

/** As if all that waits had been wanted so long ago. */
async function age(ms: number): Promise<void> {
  await database.sql`
    update availability_change set created_at = now() - ${ms}::float8 * interval '1 ms'
    where store_id = ${rows.key.storeId}::bigint`;
}

async function stateOf(changeId: string) {
  const [change] = await database.sql<{ state: string; messages: string[] }[]>`
    select state, messages from availability_change where change_id = ${changeId}`;
  return change;
}

/** The app fails to take what waits. */
async function failCall(): Promise<void> {
  const claim = await queue.claim();
  if (claim.kind !== 'items') throw new Error(`not claimed: ${claim.kind}`);
  const failure = { reason: 'The app is away.', afterMs: null };
  const patience = { giveUpAfterMs: DAY_MS, delayMs: () => 10_000 };
  await postponeQueue(database.sql, { ...rows.key, claimNo: claim.claimNo }, failure, patience);
}

const NOT_AVAILABLE = { state: 'failed', messages: ['Integration not available.'] };

test('what a caller wants of an integration that became inactive fails after a day, and not before', async () => {
  const { changeId } = await queue.write(['I1', 'I2']);
  const resumed = await queue.resume();
  await queue.activate(false);
  await age(DAY_MS - 60_000);
  const waiting = await queue.claim();
  // Not the quarter of an hour after which such an integration is looked at again.
  expect(waiting.kind === 'wait' && waiting.ms).toBeLessThanOrEqual(60_000);
  expect(await stateOf(changeId)).toMatchObject({ state: 'queued' });
  await age(DAY_MS);
  expect(await queue.claim()).toEqual({ kind: 'idle' });
  // Each item has the sentence; answers say it once.
  expect(new Set((await stateOf(changeId))?.messages)).toEqual(new Set(NOT_AVAILABLE.messages));
  expect(await stateOf(changeId)).toMatchObject({ state: 'failed' });
  expect(await stateOf(resumed)).toEqual(NOT_AVAILABLE);
});

test.each(['until', 'stock', 'setting'] as const)(
  'what %s has ended is kept until the integration can be called, and a day from then on',
  async (cause) => {
    const { changeId } = await queue.write(['I1'], { cause });
    await queue.activate(false);
    await age(3 * DAY_MS);
    expect((await queue.claim()).kind).toBe('wait');
    await queue.activate(true);
    await database.sql`update availability_queue set retry_at = now()`;
    await failCall();
    expect(await stateOf(changeId)).toMatchObject({ state: 'running' });
    const canBeCalledSince = DAY_MS - HOUR_MS;
    await database.sql`
      update availability_queue set retry_at = now(),
        unusable_at = now() - ${canBeCalledSince}::float8 * interval '1 ms'`;
    await failCall();
    expect(await stateOf(changeId)).toMatchObject({ state: 'running' });
    await database.sql`
      update availability_queue set retry_at = now(), unusable_at = now() - interval '1 day'`;
    await failCall();
    expect(await stateOf(changeId)).toEqual({ state: 'failed', messages: ['The app is away.'] });
  },
);

test('what a caller wants is given up a day after it was wanted, however long the integration was inactive', async () => {
  const { changeId } = await queue.write(['I1']);
  await queue.activate(false);
  expect((await queue.claim()).kind).toBe('wait');
  await queue.activate(true);
  await age(DAY_MS);
  await database.sql`update availability_queue set retry_at = now()`;
  await failCall();
  expect(await stateOf(changeId)).toEqual({ state: 'failed', messages: ['The app is away.'] });
});

test.each([true, false])(
  'what is given up is ended in the app when its time has passed, if it was tried: %s',
  async (isTried) => {
    const { sql } = database;
    const { storeId, integrationId } = rows.key;
    const { changeId } = await queue.write(['I1']);
    const resumed = await queue.resume();
    // As if they were about an item that goes off sale, and a pause.
    await sql`
      update availability_item set available = false, tried = ${isTried} where change_id = ${changeId}`;
    await sql`
      update availability_change set paused = true, tried = ${isTried} where change_id = ${resumed}`;
    await sql`
      insert into availability_mark (store_id, integration_id, external_id, by_api, by_stock, change_id, may_be_off)
      values (${storeId}::bigint, ${integrationId}::bigint, 'I1', true, false, ${changeId}, false)`;
    await sql`
      insert into store_pause (store_id, integration_id, change_id, may_be_paused)
      values (${storeId}::bigint, ${integrationId}::bigint, ${resumed}, false)`;
    await queue.activate(false);
    await age(DAY_MS);
    expect(await queue.claim()).toEqual({ kind: 'idle' });
    await sql`update availability_mark set api_until = now()`;
    await sql`update store_pause set until = now()`;
    await queue.claim();
    const told = await sql<{ cause: string; kind: string }[]>`
      select cause, kind from availability_change
      where store_id = ${storeId}::bigint and state = 'queued' order by kind`;
    expect([...told]).toEqual(
      isTried ? ['items', 'pause'].map((kind) => ({ cause: 'until', kind })) : [],
    );
  },
);
