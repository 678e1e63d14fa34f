import { setTimeout as delay } from 'node:timers/promises';
import { createArrivalWatch } from '../../src/http/admission/least-speed';

/** Watches over a body that is pressed, or not, and brings so many bytes each 10 ms; for how long it is watched, ms. */
async function arrive(bytesEach10ms: number, isPressed: (ms: number) => boolean): Promise<number> {
  const watch = createArrivalWatch({ windowMs: 250, bytes: 250 });
  const startedAt = performance.now();
  const ms = () => performance.now() - startedAt;
  const ends: number[] = [];
  watch.watch({
    bytes: () => (ms() / 10) * bytesEach10ms,
    isPressed: () => isPressed(ms()),
    onTooSlow: () => ends.push(ms()),
  });
  while (ends.length === 0 && ms() < 1_500) await delay(10);
  return ends[0] ?? 0;
}

test.concurrent('a body that is too slow while it is pressed is ended after the window', async () => {
  const endedAt = await arrive(5, () => true);
  expect(endedAt).toBeGreaterThan(240);
  expect(endedAt).toBeLessThan(1_500);
});

test.concurrent('a slow body is left alone while there is memory, and one that is fast enough always', async () => {
  expect(await arrive(0, () => false)).toBe(0);
  expect(await arrive(20, () => true)).toBe(0);
});

test.concurrent('only the time for which it is pressed counts', async () => {
  expect(await arrive(0, (ms) => ms % 250 > 100)).toBe(0);
});

test.concurrent('what has arrived or was given up is not watched any more', async () => {
  const watch = createArrivalWatch({ windowMs: 50, bytes: 100 });
  const ended: string[] = [];
  const arrival = (name: string) => ({
    bytes: () => 0,
    isPressed: () => true,
    onTooSlow: () => ended.push(name),
  });
  const stop = watch.watch(arrival('first'));
  watch.watch(arrival('second'));
  stop();
  await delay(300);
  expect(ended).toEqual(['second']);
});
