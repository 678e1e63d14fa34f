import type { Checkpoint } from '../../src/platform/checkpoint';
import type { Shop, UploadAnswer } from '../support/shop';
import { prepareSystem, stopSystems, type System } from '../support/system';

const PLACES: readonly Checkpoint[] = [
  'api:before-insert',
  'api:before-wake',
  'api:before-wake',
  'api:before-answer',
];
const [BEFORE_INSERT, BEFORE_WAKE, NOT_RETRIED, BEFORE_ANSWER] = [0, 1, 2, 3] as const;

let system: System;
const shops: Shop[] = [];
const answers: Promise<UploadAnswer>[] = [];

/** One request stops at each place when its API is killed; then another API starts. */
beforeAll(async () => {
  system = await prepareSystem();
  await system.startWorker();
  const mortal = await system.startChild({ role: 'api', stopAt: PLACES });
  for (const index of PLACES.keys()) {
    const shop = await system.openShop('app-b');
    shops.push(shop);
    const answer = shop.upload(1, {
      apiUrl: mortal.url,
      headers: { 'Idempotency-Key': `key-${index}` },
    });
    answer.catch(() => {}); // the tests check what becomes of it
    answers.push(answer);
    await mortal.reached(index + 1);
  }
  mortal.kill('SIGKILL');
  await mortal.ended;
  await system.startApi();
});
afterAll(stopSystems);

function retry(index: number): Promise<UploadAnswer> {
  const shop = shops[index];
  if (!shop) throw new Error('no such shop');
  return shop.upload(1, { headers: { 'Idempotency-Key': `key-${index}` } });
}

async function uploadsOf(index: number): Promise<{ uploadId: string; state: string }[]> {
  return system.sql`
    select upload_id, state from menu_upload where store_id = ${shops[index]?.storeId ?? 0}::bigint`;
}

test('callers of a killed API get no answer', async () => {
  const settled = await Promise.allSettled(answers);
  expect(settled.map((each) => each.status)).toEqual(PLACES.map(() => 'rejected'));
});

test('the keys of a dead API are free within ten seconds', async () => {
  const late = await system.sql`
    select from idempotency_key where lease_until > now() + interval '10 s'`;
  expect(late).toHaveLength(0);
});

test('the key of a dead request stays taken for its lease, and a retry learns when to come back', async () => {
  // On a busy machine it may have ended already.
  await system.sql`update idempotency_key set lease_until = now() + interval '60 s'`;
  const answer = await retry(BEFORE_INSERT);
  expect(answer.status).toBe(409);
  expect(answer.headers.get('retry-after')).toBe('1');
  expect(answer.body.message).toEqual([
    'A request with this idempotency key is still in progress.',
  ]);
});

describe('once the lease is over', () => {
  beforeAll(async () => {
    await system.sql`update idempotency_key set lease_until = now()`;
  });

  test('a retry of a request that died before writing its row uploads once', async () => {
    expect((await retry(BEFORE_INSERT)).status).toBe(200);
    expect(await uploadsOf(BEFORE_INSERT)).toHaveLength(1);
    expect(await shops[BEFORE_INSERT]?.accepted()).toEqual(['1']);
  });

  test('a retry of a request that died before the wake continues with its row', async () => {
    const [before] = await uploadsOf(BEFORE_WAKE);
    expect(before?.state).toBe('queued');
    const answer = await retry(BEFORE_WAKE);
    expect(answer).toMatchObject({ status: 200, uploadId: before?.uploadId });
    expect(await uploadsOf(BEFORE_WAKE)).toHaveLength(1);
    expect(await shops[BEFORE_WAKE]?.accepted()).toEqual(['1']);
  });

  test('a retry of a request that died before the answer gets the upload’s outcome at once', async () => {
    const answer = await retry(BEFORE_ANSWER);
    expect(answer.status).toBe(200);
    expect(answer.ms).toBeLessThan(5_000);
    expect(await uploadsOf(BEFORE_ANSWER)).toHaveLength(1);
    expect(await shops[BEFORE_ANSWER]?.accepted()).toEqual(['1']);
  });

  test('a further retry gets the stored answer', async () => {
    const answer = await retry(BEFORE_ANSWER);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('idempotency-replayed')).toBe('true');
  });
});

test('a row whose wake died with its API is swept within a minute, without another request', async () => {
  // Half a minute passes: that long a row may wait before it counts as forgotten.
  await system.sql`
    update menu_upload set created_at = created_at - interval '30 s' where state = 'queued'`;
  const [row] = await uploadsOf(NOT_RETRIED);
  const end = await shops[NOT_RETRIED]?.ended(row?.uploadId ?? '');
  expect(end?.state).toBe('uploaded');
  expect(await shops[NOT_RETRIED]?.accepted()).toEqual(['1']);
});
