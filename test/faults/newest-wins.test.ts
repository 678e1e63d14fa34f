import type { AtCheckpoint } from '../../src/platform/checkpoint';
import { deferred } from '../support/deferred';
import type { AppRequest, Shop } from '../support/shop';
import { prepareSystem, startSystem, stopSystems, type SharedSystem } from '../support/system';
import { until } from '../support/until';

let system: SharedSystem;
beforeAll(async () => {
  system = await startSystem();
});
afterAll(stopSystems);

const SUPERSEDED = ['A newer menu replaced this upload.'];

describe.each(['app-a', 'app-b', 'app-c'] as const)('30 versions at once to %s', (app) => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await system.openShop(app);
    await shop.fault({ kind: 'slow', ms: 150, times: 100 });
  });

  test('one push at a time, the last accepted one wins, and every caller gets an answer', async () => {
    const versions = Array.from({ length: 30 }, (_, n) => n + 1);
    const answers = await Promise.all(versions.map((version) => shop.upload(version)));

    const unusual = answers.filter(({ status, body }) =>
      status === 409 ? body.message[0] !== SUPERSEDED[0] : status !== 200 && status !== 202,
    );
    expect(unusual).toEqual([]);
    const accepted = await system.sql<{ uploadId: string; state: string }[]>`
      select upload_id, state from menu_upload
      where store_id = ${shop.storeId}::bigint order by seq`;
    const inOrder = accepted.map(({ uploadId }) =>
      String(answers.findIndex((answer) => answer.uploadId === uploadId) + 1),
    );
    expect(accepted.at(-1)?.state).toBe('uploaded');
    expect(await shop.shown()).toBe(inOrder.at(-1));
    const pushed = await shop.accepted();
    expect(pushed.map((version) => inOrder.indexOf(version ?? ''))).toEqual(
      pushed.map((version) => inOrder.indexOf(version ?? '')).toSorted((a, b) => a - b),
    );
    expect(overlaps(await shop.requests('upload'))).toEqual([]);
  });
});

test('an upload whose API stalls before its wake never replaces a newer one', async () => {
  const own = await prepareSystem();
  const stall = createStall();
  await own.startWorker();
  const stalling = await own.startApi(stall.atCheckpoint);
  const shop = await own.openShop('app-b');
  const older = shop.upload('older', { apiUrl: stalling.url });
  await stall.reached;

  await own.startApi();
  expect((await shop.upload('newer')).status).toBe(200);
  stall.go();
  expect(await older).toMatchObject({ status: 409, body: { message: SUPERSEDED } });
  expect(await shop.accepted()).toEqual(['newer']);
  await own.stop();
});

test('a newer upload replaces one that waits between two tries, without waiting itself', async () => {
  const shop = await system.openShop('app-b');
  await shop.fault({ kind: 'status', status: 503, times: 3 });
  const older = shop.upload('older');
  await until(async () => (await shop.requests('upload')).length >= 3);
  const newer = await shop.upload('newer');
  expect(newer.status).toBe(200);
  expect(newer.ms).toBeLessThan(8_000); // the older one's next try is 10 s away
  expect(await older).toMatchObject({ status: 409, body: { message: SUPERSEDED } });
  expect(await shop.accepted()).toEqual(['newer']);
});

test('an asynchronous app is sent nothing newer before the task of an older menu has ended', async () => {
  const shop = await system.openShop('app-c');
  await shop.fault({ kind: 'task_wait_retry', times: 3 });
  const older = shop.upload('older');
  await until(async () => (await shop.requests('upload')).length !== 0);
  const newer = shop.upload('newer');
  expect((await older).status).toBe(200);
  expect((await newer).status).toBe(200);
  expect(await shop.accepted()).toEqual(['older', 'newer']);
  const [first, second] = await shop.requests('upload');
  const polls = await shop.requests('poll');
  const last = polls.findLast((poll) => poll.started_at < (second?.started_at ?? ''));
  expect((last?.finished_at ?? '') > (first?.finished_at ?? '')).toBe(true);
});

/** Pairs of requests that were at the app at the same time. */
function overlaps(requests: readonly AppRequest[]): (readonly [AppRequest, AppRequest])[] {
  return requests.flatMap((request, index) => {
    const next = requests[index + 1];
    return next && next.started_at < (request.finished_at ?? '') ? [[request, next] as const] : [];
  });
}

/** Stops every upload between its row and its wake until released. */
function createStall(): { atCheckpoint: AtCheckpoint; reached: Promise<void>; go(): void } {
  const [reached, released] = [deferred(), deferred()];
  return {
    reached: reached.promise,
    go: released.resolve,
    async atCheckpoint(name) {
      if (name !== 'api:before-wake') return;
      reached.resolve();
      await released.promise;
    },
  };
}
