import { lockQueue } from '../../src/availability/sql/changes';
import { queueOf } from '../support/availability-queue';
import { useUploadRows } from '../support/upload-rows';

const { database, rows } = useUploadRows();
let queue: ReturnType<typeof queueOf>;
beforeEach(() => {
  queue = queueOf(database.sql, rows);
});

/** Writes a change by stock, which is due in a minute or after `delayMs`; returns whether the line's workflow was leased. */
const writeCollectedChange = async (delayMs = 60_000) =>
  (await queue.write(['I1'], { cause: 'stock', delayMs })).leased;

async function forgetChanges(): Promise<void> {
  await database.sql`delete from availability_change`;
  await database.sql`
    update availability_queue set lease_until = now() + interval '1 minute'`;
}

test('a workflow rests until its next due time, and is woken about earlier changes', async () => {
  await writeCollectedChange();
  const waiting = await queue.claim();
  expect(waiting.kind === 'wait' && waiting.ms > 50_000).toBe(true);
  expect(await writeCollectedChange()).toBe(false);
});

test('a change that is not due yet is never missed by a workflow coming to rest', async () => {
  for (let round = 0; round < 25; round += 1) {
    await database.sql.begin((tx) => lockQueue(tx, rows.key));
    await forgetChanges();
    const [leased, { kind }] = await Promise.all([writeCollectedChange(), queue.claim()]);
    expect(!leased || kind === 'wait').toBe(true);
  }
});

test('a queue whose app is not enabled any more waits, instead of being claimed again and again', async () => {
  await queue.connect();
  await writeCollectedChange(0);
  const waiting = await queue.claim([]);
  expect(waiting.kind === 'wait' && waiting.ms > 60_000).toBe(true);
  await database.sql`update availability_queue set retry_at = now()`;
  expect((await queue.claim()).kind).toBe('items');
});
