import { createLineHandover } from '../../src/webhooks/drain/line-handover';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

function offeredLine() {
  const state = { isQuiet: false, oldestMs: 0, goneOn: 0 };
  const handover = createLineHandover({
    isQuiet: () => state.isQuiet,
    oldestMs: () => state.oldestMs,
    goOn: () => void (state.goneOn += 1),
  });
  return { state, handover };
}

test('an offered line claims nothing, and is let go as soon as nothing is in flight', () => {
  const { state, handover } = offeredLine();
  expect([handover.offerable(), handover.isClaimingStopped(), handover.decide()]).toEqual([
    'yes',
    false,
    false,
  ]);
  handover.offer();
  expect([handover.offerable(), handover.isClaimingStopped(), handover.decide()]).toEqual([
    'held',
    true,
    false,
  ]);
  jest.advanceTimersByTime(999);
  state.isQuiet = true;
  expect([handover.decide(), handover.isLetGo(), state.goneOn]).toEqual([true, true, 0]);
});

test('a line whose requests do not end in a second goes on, and is not offered again for ten', () => {
  const { state, handover } = offeredLine();
  handover.offer();
  jest.advanceTimersByTime(1_000);
  expect([handover.isClaimingStopped(), handover.isUndecided()]).toEqual([false, true]);
  expect([handover.decide(), handover.isUndecided(), state.goneOn]).toEqual([false, false, 1]);
  state.isQuiet = true;
  expect([handover.decide(), handover.isLetGo(), handover.offerable()]).toEqual([
    false,
    false,
    'no',
  ]);
  jest.advanceTimersByTime(9_001);
  expect(handover.offerable()).toBe('yes');
});

test('a line with a slow receiver is not offered', () => {
  const { state, handover } = offeredLine();
  state.oldestMs = 500;
  expect(handover.offerable()).toBe('no');
  state.oldestMs = 499;
  expect(handover.offerable()).toBe('yes');
});
