import { setImmediate as nextTurn } from 'node:timers/promises';
import { createClaimSize } from '../../src/webhooks/consumer/claim-size';

const FULL = 200;

/** The event loop is busy with what a claim brought for so long. */
async function begin(ms: number): Promise<void> {
  const until = performance.now() + ms;
  while (performance.now() < until);
  for (let turns = 0; turns < 3; turns += 1) await nextTurn();
}

test('a process that keeps up claims as much as ever, and waits for nothing', async () => {
  const size = createClaimSize(FULL);
  size.answered();
  let isReady = false;
  void size.ready().then(() => (isReady = true));
  await Promise.resolve();
  await Promise.resolve();
  expect(isReady).toBe(true);
  await begin(1);
  expect(size.most()).toBe(FULL);
});

test('what took too long to begin makes the next claim smaller by as much, and it waits until that has begun', async () => {
  const size = createClaimSize(FULL);
  size.answered();
  await begin(1_200);
  expect(size.most()).toBeLessThanOrEqual(FULL / 4);
  expect(size.most()).toBeGreaterThan(0);
  size.answered();
  let isReady = false;
  const ready = size.ready().then(() => (isReady = true));
  await Promise.resolve();
  await Promise.resolve();
  expect(isReady).toBe(false);
  await ready;
});

test('it becomes full again as soon as the process keeps up', async () => {
  const size = createClaimSize(FULL);
  size.answered();
  await begin(1_200);
  for (let claims = 0; claims < 20 && size.most() < FULL; claims += 1) {
    size.answered();
    await begin(0);
  }
  expect(size.most()).toBe(FULL);
});

test('however slow it is, it claims something', async () => {
  const size = createClaimSize(2);
  for (let claims = 0; claims < 3; claims += 1) {
    size.answered();
    await begin(700);
  }
  expect(size.most()).toBe(1);
});
