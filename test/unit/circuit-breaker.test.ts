import fc from 'fast-check';
import {
  admission,
  type EndedAttempt,
  HEALTHY,
  type ReceiverHealth,
  recordAttempt,
} from '../../src/webhooks/attempt/circuit-breaker';

const SECOND = 1_000;
const DAY = 86_400_000;

function fail(
  health: ReceiverHealth,
  startedAt: number,
  endedAt = startedAt,
  askedMs: number | null = null,
): ReceiverHealth {
  return recordAttempt(health, { result: 'failure', startedAt, endedAt, askedMs });
}

function succeed(health: ReceiverHealth, startedAt: number, endedAt = startedAt): ReceiverHealth {
  return recordAttempt(health, { result: 'success', startedAt, endedAt, askedMs: null });
}

function failTimes(times: number, at = 0): ReceiverHealth {
  return Array.from({ length: times }).reduce<ReceiverHealth>(
    (health) => fail(health, at),
    HEALTHY,
  );
}

test('nine failures in a row change nothing, the tenth pauses for 30 s', () => {
  expect(admission(failTimes(9), 0)).toEqual({ kind: 'open' });
  expect(admission(failTimes(10), 0)).toEqual({ kind: 'paused', until: 30 * SECOND });
});

test('after the pause there is a permit for one probe', () => {
  expect(admission(failTimes(10), 30 * SECOND - 1).kind).toBe('paused');
  expect(admission(failTimes(10), 30 * SECOND)).toEqual({ kind: 'probe' });
});

test('each failed probe doubles the pause, up to 10 min', () => {
  let health = failTimes(10);
  const pauses = [];
  for (let probe = 0; probe < 7; probe += 1) {
    const at = health.pausedUntil ?? 0;
    health = fail(health, at, at + SECOND);
    pauses.push(((health.pausedUntil ?? 0) - at) / SECOND - 1);
  }
  expect(pauses).toEqual([60, 120, 240, 480, 600, 600, 600]);
});

test('attempts that were in flight when the pause began do not prolong it', () => {
  let health = failTimes(10, 5_000);
  for (let straggler = 0; straggler < 10; straggler += 1) health = fail(health, 4_000, 14_000);
  expect(health).toEqual(failTimes(10, 5_000));
});

test('one success clears the record, even one that was in flight when the pause began', () => {
  expect(succeed(failTimes(10, 10), 0, 40 * SECOND)).toEqual(HEALTHY);
});

test('failures between successes never add up', () => {
  let health = HEALTHY;
  for (let round = 0; round < 5; round += 1) {
    for (let each = 0; each < 9; each += 1) health = fail(health, round);
    health = succeed(health, round);
  }
  expect(health).toEqual(HEALTHY);
});

test('five days without a success disable, slightly fewer do not', () => {
  const first = fail(HEALTHY, 1_000);
  expect(fail(first, 1_000 + 5 * DAY - 1).disabledReason).toBeNull();
  expect(fail(first, 1_000 + 5 * DAY).disabledReason).toBe('failing');
});

test('a late attempt of a paused subscription can be the failure that completes the five days', () => {
  const paused = { ...failTimes(10), pausedUntil: 6 * DAY };
  expect(fail(paused, 5 * DAY).disabledReason).toBe('failing');
});

describe('a receiver that asks by Retry-After to be left alone', () => {
  const asked = fail(HEALTHY, 0, SECOND, 60 * SECOND);

  test('gets nothing for that long, from its first such answer on, then one probe', () => {
    expect(admission(asked, SECOND)).toEqual({ kind: 'paused', until: 61 * SECOND });
    expect(admission(asked, 61 * SECOND)).toEqual({ kind: 'probe' });
    expect(asked.consecutiveFailures).toBe(1);
  });

  test('is asked again after ten minutes at most', () => {
    expect(fail(HEALTHY, 0, 0, DAY).pausedUntil).toBe(600 * SECOND);
  });

  test('gets requests again after the success of the probe, not of a request that was on its way', () => {
    const late = succeed(asked, 0, 30 * SECOND);
    expect(late).toMatchObject({ pausedUntil: 61 * SECOND, consecutiveFailures: 0 });
    expect(succeed(late, 61 * SECOND)).toEqual(HEALTHY);
  });

  test('is left alone until the latest end that it asked for, and that counts as one failure', () => {
    const longer = fail(asked, 0, 2 * SECOND, 120 * SECOND);
    expect(longer).toMatchObject({ pausedUntil: 122 * SECOND, consecutiveFailures: 1 });
    expect(fail(longer, 0, 3 * SECOND, SECOND)).toEqual(longer);
  });

  test('gets no more than one probe at a time while probes fail, as often as it asks or after 30 s', () => {
    const again = fail(asked, 61 * SECOND, 61 * SECOND, 5 * SECOND);
    expect(admission(again, 62 * SECOND)).toEqual({ kind: 'paused', until: 66 * SECOND });
    const mute = fail(again, 66 * SECOND);
    expect(mute).toMatchObject({ pausedUntil: 96 * SECOND, isPauseAsked: false });
  });

  test('is left alone for longer than it asks once it has failed ten times in a row', () => {
    const tenth = fail(failTimes(9), 0, 0, SECOND);
    expect(tenth).toMatchObject({ pausedUntil: 30 * SECOND, isPauseAsked: true });
    // Also if only the ten failures paused it, and a request that was on its way asks.
    const after = fail(failTimes(10), 0, 0, SECOND);
    expect(succeed(after, 0)).toMatchObject({ pausedUntil: 30 * SECOND });
  });

  test('asks for nothing with 0', () => {
    expect(admission(fail(HEALTHY, 0, 0, 0), 0)).toEqual({ kind: 'open' });
  });
});

test('410 disables at once', () => {
  const attempt = { result: 'gone', startedAt: 0, endedAt: 0, askedMs: null } as const;
  const gone = recordAttempt(failTimes(3), attempt);
  expect(admission(gone, 0)).toEqual({ kind: 'disabled', reason: 'gone' });
});

test('no answer enables a disabled subscription or changes its reason', () => {
  const off: ReceiverHealth = { ...HEALTHY, disabledReason: 'manual' };
  for (const result of ['success', 'failure', 'gone'] as const) {
    const after = recordAttempt(off, { result, startedAt: 0, endedAt: 9 * DAY, askedMs: null });
    expect(after.disabledReason).toBe('manual');
  }
});

interface Step {
  readonly before: ReceiverHealth;
  readonly attempt: EndedAttempt;
  readonly after: ReceiverHealth;
}

const someSteps = fc
  .array(
    fc.record({
      result: fc.constantFrom<EndedAttempt['result']>('success', 'failure', 'gone'),
      startedAt: fc.nat(DAY),
      took: fc.nat(10 * SECOND),
    }),
    { maxLength: 60 },
  )
  .map((attempts) => {
    const steps: Step[] = [];
    for (const { result, startedAt, took } of attempts) {
      const before = steps.at(-1)?.after ?? HEALTHY;
      const attempt = { result, startedAt, endedAt: startedAt + took, askedMs: null };
      steps.push({ before, attempt, after: recordAttempt(before, attempt) });
    }
    return steps;
  });

test('a pause is always between 30 s and 10 min', () => {
  fc.assert(
    fc.property(someSteps, (steps) => {
      const pauses = steps
        .filter(({ before, after }) => after.pausedUntil !== before.pausedUntil)
        .flatMap(({ after, attempt }) =>
          after.pausedUntil === null ? [] : [after.pausedUntil - attempt.endedAt],
        );
      expect(pauses.every((ms) => ms >= 30 * SECOND && ms <= 600 * SECOND)).toBe(true);
    }),
  );
});

test('after a success nothing remains but a disabling', () => {
  fc.assert(
    fc.property(someSteps, (steps) => {
      for (const { after } of steps.filter(({ attempt }) => attempt.result !== 'failure')) {
        expect({ ...after, disabledReason: null }).toEqual(HEALTHY);
      }
      for (const { before, after } of steps.filter((step) => step.before.disabledReason !== null)) {
        expect(after.disabledReason).toBe(before.disabledReason);
      }
    }),
  );
});
