import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { watchFreezes } from '../../src/platform/observe/freeze-watch';

/** Nothing of this process runs meanwhile. */
function standStill(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

test('a frozen process knows so before anything else happens, and until when', async () => {
  const watch = watchFreezes();
  const before = performance.now();
  expect(watch.wasFrozen(before)).toBe(false);
  standStill(1_700);
  expect(watch.wasFrozen(before)).toBe(true);
  expect(watch.wasFrozen(performance.now())).toBe(false);
  await delay(300);
  expect(watch.wasFrozen(before)).toBe(true);
  watch.stop();
});

test('a busy process does not count as frozen', async () => {
  const watch = watchFreezes();
  const before = performance.now();
  for (let n = 0; n < 4; n += 1) {
    standStill(300);
    await delay(1);
  }
  expect(watch.wasFrozen(before)).toBe(false);
  watch.stop();
});
