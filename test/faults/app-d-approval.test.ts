import { setTimeout as sleep } from 'node:timers/promises';
import { startSystem, stopSystems, type System } from '../support/system';
import { until } from '../support/until';

afterAll(stopSystems);

const ENV = { APP_D: 'rappi' };

test('App D is asked at its own interval, however many menus arrive, and the newest of them goes next', async () => {
  // The simulated people decide within a second.
  const timing = { approvalFirstMs: 4_000, approvalEveryMs: 60_000 };
  const system = await startSystem({ env: ENV, timing });
  const shop = await system.openShop('app-d');
  const headers = { prefer: 'respond-async' };
  const first = await shop.upload('first', { headers });
  await until(async () => (await shop.requests('upload')).length !== 0);
  const later = [];
  for (const version of ['second', 'third', 'last']) {
    later.push(await shop.upload(version, { headers }));
    await sleep(300);
  }
  expect(await shop.requests('poll')).toEqual([]);
  expect((await shop.status(first.uploadId)).state).toBe('running');
  const states = await Promise.all(
    [first, ...later].map(async ({ uploadId }) => (await shop.ended(uploadId)).state),
  );
  expect(states).toEqual(['uploaded', 'superseded', 'superseded', 'uploaded']);
  expect(await shop.accepted()).toEqual(['first', 'last']);
  expect(await shop.requests('upload')).toHaveLength(2);
  expect(await shop.requests('poll')).toHaveLength(2);
  await system.stop();
});

test('an unanswered question to App D is repeated early, an answered one is not', async () => {
  const timing = { approvalFirstMs: 1_000, approvalEveryMs: 3_600_000 };
  const system = await startSystem({ env: ENV, timing });
  const shop = await system.openShop('app-d');
  await shop.fault({ kind: 'status', route: 'poll', times: 2 });
  const { uploadId } = await shop.upload('new', { headers: { prefer: 'respond-async' } });
  expect((await shop.ended(uploadId)).state).toBe('uploaded');
  expect(await shop.requests('poll')).toHaveLength(3);
  const [row] = await system.sql<{ asked: boolean }[]>`
    select task_asked_at is not null as asked from menu_upload where upload_id = ${uploadId}`;
  expect(row?.asked).toBe(false);
  await system.stop();
});

test('App D is not asked earlier because of a newer menu', async () => {
  const timing = { approvalFirstMs: 1, approvalEveryMs: 3_600_000 };
  const system = await startSystem({ env: ENV, timing });
  const shop = await system.openShop('app-d');
  await shop.fault({ kind: 'approval', mode: 'never' });
  const { uploadId } = await shop.upload('new', { headers: { prefer: 'respond-async' } });
  await until(async () => (await shop.requests('poll')).length !== 0);
  await shop.upload('newer', { headers: { prefer: 'respond-async' } });
  await sleep(2_000);
  expect(await shop.requests('poll')).toHaveLength(1);
  expect((await shop.status(uploadId)).state).toBe('running');
  await system.stop();
});

describe('with callbacks', () => {
  let system: System;
  beforeAll(async () => {
    const timing = { approvalFirstMs: 3_600_000, approvalEveryMs: 3_600_000 };
    system = await startSystem({ env: ENV, timing });
  });

  test.concurrent.each([
    ['approved', [], 'uploaded', 'new'],
    [
      'approved, and does not say so when asked',
      [{ kind: 'approval', mode: 'bare' }],
      'uploaded',
      'new',
    ],
    ['rejected', [{ kind: 'approval', mode: 'rejected' }], 'failed', undefined],
  ])(
    'a menu that App D calls back about does not wait for the next question: %s',
    async (_, faults, state, shown) => {
      const shop = await system.openShop('app-d', { callbacks: true });
      for (const fault of faults) await shop.fault(fault);
      const { uploadId } = await shop.upload('new', { headers: { prefer: 'respond-async' } });
      // A signal that a busy machine loses is made good after half a minute; the next question would come after an hour.
      expect((await shop.ended(uploadId)).state).toBe(state);
      expect(await shop.shown()).toBe(shown);
    },
  );
});
