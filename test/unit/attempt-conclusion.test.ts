import { concludeAttempt } from '../../src/domain/attempt-conclusion';

const table = [1_000, 5_000];
const retry = { kind: 'retry', status: 500, message: null, retryAfterMs: null } as const;

test.each([
  [{ kind: 'acknowledged', status: 204 } as const, 'acknowledged'],
  [{ kind: 'refused', status: 422, message: 'No.', gone: false } as const, 'refused'],
  [{ kind: 'delivered', status: null, gone: false } as const, 'delivered'],
])('%j is final', (verdict, state) => {
  expect(concludeAttempt(verdict, { attemptNo: 1, table, random: 0.5 })).toEqual({ state });
});

test('an attempt that we broke off ourselves is none', () => {
  const end = concludeAttempt({ kind: 'interrupted' }, { attemptNo: 3, table, random: 0.5 });
  expect(end).toEqual({ state: 'released' });
});

test('a failed attempt is followed by another until the table is at its end', () => {
  const ends = [1, 2, 3].map((attemptNo) =>
    concludeAttempt(retry, { attemptNo, table, random: 0.5 }),
  );
  expect(ends).toEqual([
    { state: 'pending', delayMs: 1_000 },
    { state: 'pending', delayMs: 5_000 },
    { state: 'exhausted' },
  ]);
});

test('a receiver’s Retry-After counts where it is longer', () => {
  const asked = { ...retry, retryAfterMs: 60_000 };
  expect(concludeAttempt(asked, { attemptNo: 1, table, random: 0.5 })).toEqual({
    state: 'pending',
    delayMs: 60_000,
  });
});
