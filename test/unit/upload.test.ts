import fc from 'fast-check';
import { describeWait } from '../../src/contract/why-it-waits';
import type { UploadId } from '../../src/platform/ids';
import { decideClaim, type Slot, type UnfinishedUpload } from '../../src/uploads/upload';
import {
  slowRetryDelayMs,
  untilApprovalQuestion,
  untilNextQuestionMs,
  UPLOAD_TIMING,
} from '../../src/uploads/upload-retries';

const NOW = 1_000_000;

const id = (seq: number | null) => `upl_${seq}` as UploadId;

function waiting(seq: number, given: Partial<UnfinishedUpload> = {}): UnfinishedUpload {
  return {
    uploadId: id(seq),
    seq,
    taskId: null,
    nextAttemptAt: null,
    held: false,
    waitsFor: null,
    ...given,
  };
}

describe('which upload is published', () => {
  test('nothing waits: idle', () => {
    expect(decideClaim([], 7, null, NOW)).toEqual({ kind: 'idle' });
  });

  test('the newest is published and every older one is superseded, whatever their order', () => {
    expect(decideClaim([waiting(2), waiting(3), waiting(1)], 0, null, NOW)).toEqual({
      kind: 'publish',
      uploadId: id(3),
      supersede: [id(2), id(1)],
    });
  });

  test('a held upload waits, and older ones continue meanwhile', () => {
    const held = waiting(2, { held: true });
    expect(decideClaim([held], 0, null, NOW)).toEqual({ kind: 'idle' });
    expect(decideClaim([waiting(1), held], 0, null, NOW)).toEqual({
      kind: 'publish',
      uploadId: id(1),
      supersede: [],
    });
  });

  test('a held upload is superseded by a newer one, even one that was claimed before', () => {
    const held = waiting(2, { held: true });
    expect(decideClaim([waiting(3), held], 0, null, NOW)).toEqual({
      kind: 'publish',
      uploadId: id(3),
      supersede: [id(2)],
    });
    expect(decideClaim([held], 3, null, NOW)).toMatchObject({ kind: 'wait', supersede: [id(2)] });
  });

  test('an upload seen after a newer one was claimed never runs', () => {
    expect(decideClaim([waiting(4)], 5, null, NOW)).toEqual({
      kind: 'wait',
      ms: 0,
      why: 'retry',
      uploadId: null,
      supersede: [id(4)],
    });
  });

  test('a claimed upload whose attempt died is claimed again', () => {
    expect(decideClaim([waiting(5)], 5, null, NOW)).toMatchObject({
      kind: 'publish',
      uploadId: id(5),
    });
  });

  test('the newest waits until it is due, and older ones still end', () => {
    const newest = waiting(2, { nextAttemptAt: NOW + 300 });
    expect(decideClaim([waiting(1), newest], 2, null, NOW)).toEqual({
      kind: 'wait',
      ms: 300,
      why: 'retry',
      uploadId: id(2),
      supersede: [id(1)],
    });
  });

  test.each([
    ['push/7', 'push'],
    ['token/integration/7', 'token'],
  ])('the newest that waits for a permit (%s) says so', (waitsFor, why) => {
    const newest = waiting(1, { nextAttemptAt: NOW + 300, waitsFor });
    expect(decideClaim([newest], 1, null, NOW)).toMatchObject({ kind: 'wait', ms: 300, why });
    expect(decideClaim([newest], 1, null, NOW + 300)).toMatchObject({ kind: 'publish' });
  });

  test('a newer upload does not wait for the next try of an older one', () => {
    const older = waiting(1, { nextAttemptAt: NOW + 60_000 });
    expect(decideClaim([older, waiting(2)], 1, null, NOW)).toMatchObject({
      kind: 'publish',
      uploadId: id(2),
      supersede: [id(1)],
    });
  });
});

describe('while an asynchronous app may work on a menu', () => {
  const slot: Slot = { uploadId: id(1), until: NOW + 5_000 };

  test('its known task is polled, and nothing newer is pushed or ended', () => {
    const decision = decideClaim([waiting(1, { taskId: 't' }), waiting(2)], 1, slot, NOW);
    expect(decision).toEqual({ kind: 'confirm', uploadId: id(1) });
  });

  test('a push that left no task id lets the same upload be pushed again at once', () => {
    expect(decideClaim([waiting(1)], 1, slot, NOW)).toMatchObject({
      kind: 'publish',
      uploadId: id(1),
    });
  });

  test('a push that left no task id keeps newer uploads waiting until it has settled', () => {
    expect(decideClaim([waiting(1), waiting(2)], 1, slot, NOW)).toEqual({
      kind: 'wait',
      ms: 5_000,
      why: 'settling',
      uploadId: id(2),
      supersede: [id(1)],
    });
  });

  test('the slot of an upload that has ended keeps newer ones waiting too', () => {
    expect(decideClaim([waiting(2)], 1, slot, NOW)).toEqual({
      kind: 'wait',
      ms: 5_000,
      why: 'settling',
      uploadId: id(2),
      supersede: [],
    });
  });

  test('even after its time its known task is asked about before anything else', () => {
    const task = waiting(1, { taskId: 't', nextAttemptAt: NOW + 300 });
    const decision = decideClaim([task, waiting(2)], 1, { ...slot, until: NOW - 1 }, NOW);
    expect(decision).toEqual({ kind: 'confirm', uploadId: id(1) });
  });

  test('the expired slot of a push without a task blocks no upload', () => {
    const over: Slot = { uploadId: id(1), until: NOW };
    expect(decideClaim([waiting(1), waiting(2)], 1, over, NOW)).toEqual({
      kind: 'publish',
      uploadId: id(2),
      supersede: [id(1)],
    });
  });
});

describe('in any situation', () => {
  const situation = fc.record({
    seqs: fc.uniqueArray(fc.integer({ min: 1, max: 9 }), { maxLength: 6 }),
    claimedSeq: fc.nat(9),
    slotOf: fc.option(fc.integer({ min: 1, max: 9 })),
    slotMs: fc.integer({ min: -10, max: 10 }),
    tasks: fc.uniqueArray(fc.integer({ min: 1, max: 9 })),
    due: fc.integer({ min: -10, max: 10 }),
  });

  test('the published upload is the newest, due and not older than a claimed one; none is forgotten', () => {
    const sound = fc.check(
      fc.property(situation, ({ seqs, claimedSeq, slotOf, slotMs, tasks, due }) => {
        const uploads = seqs.map((seq) =>
          waiting(seq, { taskId: tasks.includes(seq) ? 't' : null, nextAttemptAt: NOW + due }),
        );
        const slot = slotOf === null ? null : { uploadId: id(slotOf), until: NOW + slotMs };
        const decision = decideClaim(uploads, claimedSeq, slot, NOW);
        const newest = Math.max(...seqs, 0);
        switch (decision.kind) {
          case 'idle':
            return seqs.length === 0;
          case 'publish':
            return (
              decision.uploadId === id(newest) &&
              newest >= claimedSeq &&
              due <= 0 &&
              decision.supersede.length === seqs.length - 1
            );
          case 'confirm':
            return decision.uploadId === id(slotOf) && slotOf !== null && tasks.includes(slotOf);
          case 'wait':
            return decision.ms > 0
              ? !decision.supersede.includes(id(newest))
              : decision.supersede.length === seqs.length;
        }
      }),
    );
    expect(sound).toMatchObject({ failed: false });
  });
});

describe('when an upload is tried again', () => {
  const { giveUpAfterMs, slowRetryMs } = UPLOAD_TIMING;

  test('rounds follow the table, whose last delay repeats', () => {
    const rounds = slowRetryMs.map((_, index) =>
      slowRetryDelayMs(index + 1, 0, null, UPLOAD_TIMING),
    );
    expect(rounds).toEqual(slowRetryMs);
    expect(slowRetryDelayMs(50, 0, null, UPLOAD_TIMING)).toBe(slowRetryMs.at(-1));
  });

  test('an app may lengthen the delay, but not shorten it', () => {
    expect(slowRetryDelayMs(1, 0, 3_600_000, UPLOAD_TIMING)).toBe(3_600_000);
    expect(slowRetryDelayMs(1, 0, 1, UPLOAD_TIMING)).toBe(slowRetryMs[0]);
  });

  test('a try that would come after a day is not made', () => {
    expect(slowRetryDelayMs(1, giveUpAfterMs - 10_000, null, UPLOAD_TIMING)).toBe(10_000);
    expect(slowRetryDelayMs(1, giveUpAfterMs - 9_999, null, UPLOAD_TIMING)).toBeNull();
    expect(slowRetryDelayMs(1, 0, giveUpAfterMs + 1, UPLOAD_TIMING)).toBeNull();
  });
});

describe('when an app is asked about a menu under review', () => {
  const {
    approvalFirstMs: first,
    approvalEveryMs: every,
    approvalDeadlineMs: deadline,
  } = UPLOAD_TIMING;
  const minute = 60_000;

  test.each([
    ['5 minutes after it was taken', 0, null, first],
    ['then, when that time has come', first, null, 0],
    ['an hour after the last question', 10 * minute, 4 * minute, every - 4 * minute],
    ['at once when that was longer ago', 3 * every, every + 1, 0],
    ['at its deadline, though the last question was a moment ago', deadline - minute, 1, minute],
    ['at once when its deadline has passed', deadline + minute, 1, 0],
  ])('%s', (_, pushAgeMs, askedAgeMs, expected) => {
    expect(untilApprovalQuestion({ pushAgeMs, askedAgeMs }, UPLOAD_TIMING)).toBe(expected);
  });

  test.each([
    ['an hour after a clear answer', true, minute, 60 * minute],
    ['sooner after an unclear one', false, minute, 5 * minute],
    ['at the deadline, if that is earlier', true, deadline - minute, minute],
    ['at once after the deadline', false, deadline + minute, 1],
  ])('then %s', (_, isAnswered, pushAgeMs, expected) => {
    expect(untilNextQuestionMs(isAnswered, pushAgeMs, UPLOAD_TIMING)).toBe(expected);
  });
});

test('why a menu waits is reported with its end', () => {
  const until = '2026-11-22T08:00:00.000Z';
  const told = (['retry', 'push', 'token', 'settling'] as const).map((why) =>
    describeWait(why, until),
  );
  expect(told.every((sentence) => sentence.includes(until))).toBe(true);
  expect(told.map((sentence) => sentence.replace(/,? (?:at|until) 2026.*/, ''))).toEqual([
    'The menu waits for its next try',
    'The menu waits for other menus that are being sent to the delivery system',
    'The menu waits for a token of the delivery system, which another upload is fetching',
    'The answer to an earlier menu was lost and the delivery system may still be working on it: this menu waits',
  ]);
});

test('a menu whose try is due at the moment in which the slot ends waits for its try', () => {
  const slot = { uploadId: id(0), until: NOW + 500 };
  expect(decideClaim([waiting(3, { nextAttemptAt: NOW + 500 })], 0, slot, NOW)).toMatchObject({
    kind: 'wait',
    ms: 500,
    why: 'retry',
  });
});
