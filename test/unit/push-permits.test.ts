import { Registry } from 'prom-client';
import { createBounds } from '../../src/platform/admission/bound-metrics';
import type { UploadId } from '../../src/platform/ids';
import { createPushPermits } from '../../src/uploads/push-permits';
import { seriesOf } from '../support/series-of';

/** Permits for pushes, those that uploads were put back to wait for, and how many uploads each release resumed. */
function permitsOf(registry = new Registry()) {
  const [waiting, resumed]: [string[], number[]] = [[], []];
  const permits = createPushPermits({
    bounds: createBounds(registry),
    queue: {
      async putBack(_, permit) {
        waiting.push(permit);
      },
      resumeWaiting: (_, count) => void resumed.push(count),
    },
  });
  const attempt = { uploadId: 'upl_1' as UploadId, attemptNo: 1 };
  const take = (integrationId: number, maxInFlight: number) =>
    permits.takeOrWait({ ...attempt, integrationId, maxInFlight });
  return { take, waiting, resumed };
}

test('an integration has its own permits, as many as its limit; without one an upload waits in its row', async () => {
  const { take, waiting, resumed } = permitsOf();
  const first = await take(7, 2);
  expect(await take(7, 2)).toBeDefined();
  expect(await take(7, 2)).toBeUndefined();
  expect(waiting).toEqual(['push/7']);
  expect(await take(8, 1)).toBeDefined();
  first?.release();
  expect(resumed).toEqual([1]);
  expect(await take(7, 2)).toBeDefined();
});

test('a lowered limit applies as pushes end, a raised one at once', async () => {
  const { take, resumed } = permitsOf();
  const permits = [await take(7, 3), await take(7, 3), await take(7, 3)];
  for (const permit of permits.slice(1)) permit?.release();
  expect(resumed).toEqual([1, 2]);
  expect(await take(7, 1)).toBeUndefined();
  expect(await take(7, 500)).toBeDefined();
});

test('it reports how full the fullest was, and how often a push had to wait', async () => {
  const registry = new Registry();
  const { take } = permitsOf(registry);
  const series = (name: string) => seriesOf(registry, name, 'pushes_to_an_integration');
  const permits = await Promise.all([1, 2, 3, 4, 5].map(() => take(7, 3)));
  await take(8, 3);
  for (const permit of permits) permit?.release();
  expect(await series('bound_used')).toBe(3);
  expect(await series('bound_used')).toBe(0);
  expect(await series('bound_hits_total')).toBe(2);
  expect(await series('bound_limit')).toBe(500);
});
