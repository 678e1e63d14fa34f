import type { ReachCheckpoint } from '../../src/checkpoint';
import type { AppRequest, Shop } from '../support/shop';
import { prepareSystem, startSystem, stopSystems, type System } from '../support/system';

afterEach(stopSystems);

const SUPERSEDED = ['A newer menu replaced this upload.'];

describe.each(['app-a', 'app-b', 'app-c'] as const)('30 versions at once to %s', (app) => {
  let system: System;
  let shop: Shop;
  beforeAll(async () => {
    system = await startSystem();
    shop = await system.openShop(app);
    await shop.fault({ kind: 'slow', ms: 150, times: 100 });
  });

  test('one push at a time, the last accepted one wins, and every caller is told', async () => {
    const versions = Array.from({ length: 30 }, (_, n) => n + 1);
    const answers = await Promise.all(versions.map((version) => shop.upload(version)));

    for (const { status, body } of answers) {
      if (status === 409) expect(body.message).toEqual(SUPERSEDED);
      else expect([200, 202]).toContain(status);
    }
    const accepted = await system.sql<{ uploadId: string; state: string }[]>`
      select upload_id, state from menu_upload order by seq`;
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

test('an upload whose API stalls before its nudge never replaces a newer one', async () => {
  const system = await prepareSystem();
  const stall = createStall();
  await system.startWorker();
  const stalling = await system.startApi(stall.reach);
  const shop = await system.openShop('app-b');
  const older = shop.upload('older', { apiUrl: stalling.url });
  await stall.reached;

  await system.startApi();
  expect((await shop.upload('newer')).status).toBe(200);
  stall.go();
  expect(await older).toMatchObject({ status: 409, body: { message: SUPERSEDED } });
  expect(await shop.accepted()).toEqual(['newer']);
});

/** Pairs of requests that were at the app at the same time. */
function overlaps(requests: readonly AppRequest[]): (readonly [AppRequest, AppRequest])[] {
  return requests.flatMap((request, index) => {
    const next = requests[index + 1];
    return next && next.started_at < (request.finished_at ?? '') ? [[request, next] as const] : [];
  });
}

function createStall(): { reach: ReachCheckpoint; reached: Promise<void>; go(): void } {
  let arrive = (): void => {};
  let go = (): void => {};
  const reached = new Promise<void>((resolve) => (arrive = resolve));
  const released = new Promise<void>((resolve) => (go = resolve));
  return {
    reached,
    go: () => go(),
    async reach(name) {
      if (name !== 'api:before-nudge') return;
      arrive();
      await released;
    },
  };
}
