import { createHandover } from '../../src/webhooks/consumer/handover';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

function createShard() {
  const state = { isIdle: false, oldestMs: 0, goneOn: 0 };
  const handover = createHandover({
    isIdle: () => state.isIdle,
    oldestMs: () => state.oldestMs,
    goOn: () => void (state.goneOn += 1),
  });
  return { state, handover };
}

test('an offered shard claims nothing, and is let go as soon as nothing is in flight', () => {
  const { state, handover } = createShard();
  expect([handover.isClaimingStopped(), handover.decide()]).toEqual([false, false]);
  expect(handover.offer()).toBe(true);
  expect([handover.isOffered(), handover.isClaimingStopped(), handover.decide()]).toEqual([
    true,
    true,
    false,
  ]);
  jest.advanceTimersByTime(999);
  state.isIdle = true;
  expect([handover.decide(), state.goneOn]).toEqual([true, 0]);
});

test('a shard whose requests do not end in a second goes on, and is not offered again for ten', () => {
  const { state, handover } = createShard();
  handover.offer();
  jest.advanceTimersByTime(1_000);
  expect(handover.isClaimingStopped()).toBe(false);
  expect([handover.decide(), handover.isOffered(), state.goneOn]).toEqual([false, false, 1]);
  state.isIdle = true;
  expect([handover.decide(), handover.offer()]).toEqual([false, false]);
  jest.advanceTimersByTime(9_001);
  expect(handover.offer()).toBe(true);
});

test('a shard with a slow receiver is not offered', () => {
  const { state, handover } = createShard();
  state.oldestMs = 500;
  expect([handover.offer(), handover.isOffered()]).toEqual([false, false]);
  state.oldestMs = 499;
  expect(handover.offer()).toBe(true);
});
