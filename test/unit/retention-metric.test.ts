import { Registry } from 'prom-client';
import { ownWork } from '../../src/metrics/own-work';

const MINUTE_MS = 60_000;

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask'] });
});
afterEach(() => {
  jest.useRealTimers();
});

test('a worker that the sweep has left no longer says that rows are left', async () => {
  const registry = new Registry();
  const { countRemoved } = ownWork(registry);
  const unfinished = async () =>
    / (\d)$/m.exec(await registry.getSingleMetricAsString('retention_unfinished'))?.[1];
  const round = (left: boolean) => countRemoved({ kinds: [], left, failed: 0 });

  expect(await unfinished()).toBe('0');
  round(true);
  expect(await unfinished()).toBe('1');
  // The pause between two hours of the sweep does not show: an alert would begin anew each hour.
  jest.advanceTimersByTime(4 * MINUTE_MS);
  expect(await unfinished()).toBe('1');
  round(true);
  jest.advanceTimersByTime(4 * MINUTE_MS);
  expect(await unfinished()).toBe('1');
  jest.advanceTimersByTime(2 * MINUTE_MS);
  expect(await unfinished()).toBe('0');
  round(true);
  round(false);
  expect(await unfinished()).toBe('0');
});
