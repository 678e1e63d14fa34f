import {
  type ChangeWait,
  type DeliveryWait,
  type UploadWait,
  whyChangeWaits,
  whyDeliveryWaits,
  whyUploadWaits,
} from '../../src/contract/why-it-waits';

const NOW = Date.parse('2026-11-28T12:00:00Z');
const at = (seconds: number) => new Date(NOW + seconds * 1_000);
const HERE = { isTemporalAway: false };
const AWAY = { isTemporalAway: true };

const LAST = {
  now: at(0),
  waitReason: null,
  words: null,
  waitingSince: null,
  failedTries: 0,
  nextTryAt: null,
};
const FAILED = { waitReason: 'app_busy', words: 'status 429', waitingSince: at(-20) } as const;

function upload(given: Partial<UploadWait>): UploadWait {
  return {
    ...LAST,
    readySince: at(-30),
    isQueued: false,
    isHeld: false,
    isAlive: true,
    waitsFor: null,
    nextAttemptAt: null,
    isBehindEarlier: false,
    earlierUntil: null,
    step: null,
    stepSince: null,
    approvalSince: null,
    ...given,
  };
}

test.each<[string, Partial<UploadWait>, object | null]>([
  ['being pushed for the first time', { step: 'push' }, null],
  ['accepted a moment ago', { isQueued: true, readySince: at(-1), isAlive: false }, null],
  ['that no worker takes', { isQueued: true, isAlive: false }, { reason: 'our_side' }],
  ['held by its rollout', { isQueued: true, isHeld: true }, { reason: 'permit', since: at(-30) }],
  [
    'behind one that is being pushed',
    { isQueued: true, isBehindEarlier: true },
    { reason: 'earlier_menu', since: at(-30), next_attempt_at: null },
  ],
  [
    'behind a push whose answer was lost',
    { isQueued: true, earlierUntil: at(60) },
    { reason: 'earlier_menu', next_attempt_at: at(60) },
  ],
  [
    'that waits for a place among the pushes',
    { waitsFor: 'push/1', waitReason: 'permit', waitingSince: at(-2), nextAttemptAt: at(100) },
    { reason: 'permit', since: at(-2), next_attempt_at: at(100) },
  ],
  [
    'whose token another upload fetches',
    { waitsFor: 'token/integration/1', nextAttemptAt: at(100) },
    { reason: 'token', next_attempt_at: at(100) },
  ],
  [
    'whose token is being fetched',
    { step: 'token', stepSince: at(-4) },
    { reason: 'token', since: at(-4), next_attempt_at: null },
  ],
  [
    'whose images are being read',
    { step: 'images', stepSince: at(-4) },
    { reason: 'image_host', since: at(-4) },
  ],
  [
    'that waits for its next round',
    { ...FAILED, failedTries: 3, nextAttemptAt: at(10) },
    {
      reason: 'app_busy',
      message: 'status 429',
      since: at(-20),
      attempts: 3,
      next_attempt_at: at(10),
    },
  ],
  [
    'between two quick tries',
    { ...FAILED, step: 'push', nextTryAt: at(1) },
    { reason: 'app_busy', next_attempt_at: at(1) },
  ],
  [
    'whose next try is under way',
    { ...FAILED, step: 'push', nextTryAt: null },
    { reason: 'app_busy', next_attempt_at: null },
  ],
  [
    'postponed by an earlier release',
    { words: 'status 503', nextAttemptAt: at(10) },
    { reason: 'app_unavailable', message: 'status 503', since: at(-30) },
  ],
  [
    'whose app said nothing that can be shown',
    { ...FAILED, words: '' },
    { message: 'The delivery system did not answer.' },
  ],
  [
    'that people review',
    { approvalSince: at(-10), nextTryAt: at(300) },
    { reason: 'approval', since: at(-10), next_attempt_at: at(300) },
  ],
  [
    'that people review, with an app that cannot be asked',
    { approvalSince: at(-10), waitReason: 'app_unavailable', words: 'timeout' },
    { reason: 'app_unavailable' },
  ],
])('an upload %s', (_, facts, expected) => {
  const waits = whyUploadWaits(upload(facts), HERE);
  if (expected === null) expect(waits).toBeNull();
  else expect(waits).toMatchObject(expected);
});

test('without Temporal an upload waits for it once it is due, and not while it is pushed or has time left', () => {
  const reasonOf = (facts: Partial<UploadWait>) => whyUploadWaits(upload(facts), AWAY)?.reason;
  expect(reasonOf({ isQueued: true })).toBe('temporal');
  expect(reasonOf({ ...FAILED, nextAttemptAt: at(-5) })).toBe('temporal');
  expect(reasonOf({ ...FAILED, nextAttemptAt: at(5) })).toBe('app_busy');
  expect(reasonOf({ step: 'push' })).toBeUndefined();
});

function change(given: Partial<ChangeWait>): ChangeWait {
  return {
    ...LAST,
    createdAt: at(-30),
    dueAt: at(-30),
    isAlive: true,
    isUsable: true,
    retryAt: null,
    isPushUnderWay: false,
    isCallUnderWay: false,
    isTokenBeingFetched: false,
    nextCallAt: null,
    ...given,
  };
}

test.each<[string, Partial<ChangeWait>, object | null]>([
  ['whose call is under way', { isCallUnderWay: true, nextCallAt: at(1) }, null],
  ['that is collected with others by stock', { dueAt: at(1), isAlive: false }, null],
  ['that no worker takes', { isAlive: false }, { reason: 'our_side' }],
  ['of an integration that cannot be called', { isUsable: false }, { reason: 'disabled' }],
  [
    'that is tried again later',
    { ...FAILED, failedTries: 3, retryAt: at(10) },
    { reason: 'app_busy', message: 'status 429', attempts: 3, next_attempt_at: at(10) },
  ],
  ['between two quick tries', { ...FAILED, nextTryAt: at(1) }, { next_attempt_at: at(1) }],
  [
    'made while its line waited already',
    { ...FAILED, createdAt: at(-5) },
    { reason: 'app_busy', since: at(-5) },
  ],
  ['behind a push', { isPushUnderWay: true }, { reason: 'earlier_menu' }],
  ['whose token is being fetched', { isTokenBeingFetched: true }, { reason: 'token' }],
  ['over the rate', { nextCallAt: at(1) }, { reason: 'permit', next_attempt_at: at(1) }],
])('a change of availability %s', (_, facts, expected) => {
  const waits = whyChangeWaits(change(facts), HERE);
  if (expected === null) expect(waits).toBeNull();
  else expect(waits).toMatchObject(expected);
});

test('without Temporal a change waits for it once it is due', () => {
  expect(whyChangeWaits(change({ isAlive: false }), AWAY)?.reason).toBe('temporal');
  expect(whyChangeWaits(change({ ...FAILED, retryAt: at(5) }), AWAY)?.reason).toBe('app_busy');
});

function delivery(given: Partial<DeliveryWait>): DeliveryWait {
  return {
    now: at(0),
    wantedSince: at(-60),
    dueAt: at(-60),
    attemptsMade: 0,
    isUnderWay: false,
    waitReason: null,
    failedSince: null,
    status: null,
    error: null,
    message: null,
    disabledReason: null,
    pausedUntil: null,
    isPauseAsked: false,
    failingSince: null,
    consecutiveFailures: 0,
    isLimited: false,
    hasDrain: true,
    ...given,
  };
}

const TRIED = {
  attemptsMade: 2,
  dueAt: at(30),
  failedSince: at(-50),
  waitReason: 'receiver_failing',
} as const;

test.each<[string, Partial<DeliveryWait>, object | null]>([
  ['on its first attempt', { isUnderWay: true }, null],
  ['made a moment ago', { dueAt: at(-1), hasDrain: false }, null],
  ['that no worker takes', { hasDrain: false }, { reason: 'our_side' }],
  [
    'whose receiver fails',
    { ...TRIED, status: 500 },
    {
      reason: 'receiver_failing',
      message: 'status 500',
      since: at(-50),
      attempts: 2,
      next_attempt_at: at(30),
    },
  ],
  ['whose receiver said why', { ...TRIED, status: 500, message: 'Full.' }, { message: 'Full.' }],
  ['whose receiver did not answer', { ...TRIED, error: 'timeout' }, { message: 'timeout' }],
  [
    'whose receiver asked for patience',
    { ...TRIED, waitReason: 'receiver_busy', status: 429 },
    { reason: 'receiver_busy', message: 'status 429' },
  ],
  [
    'that was tried by an earlier release',
    { ...TRIED, waitReason: null, status: 500 },
    { reason: 'receiver_failing' },
  ],
  [
    'whose next attempt is under way',
    { ...TRIED, dueAt: at(-1), isUnderWay: true, status: 500 },
    { reason: 'receiver_failing', next_attempt_at: null },
  ],
  [
    'of a paused receiver',
    {
      pausedUntil: at(30),
      failingSince: at(-100),
      consecutiveFailures: 10,
    },
    {
      reason: 'paused',
      message: 'The receiver failed 10 times in a row.',
      since: at(-60),
      next_attempt_at: at(30),
    },
  ],
  [
    'of a receiver that asked for a pause',
    { pausedUntil: at(30), consecutiveFailures: 1, isPauseAsked: true },
    {
      reason: 'receiver_busy',
      message: 'The receiver asked to be left alone for a while.',
      next_attempt_at: at(30),
    },
  ],
  [
    'of a disabled webhook',
    { ...TRIED, disabledReason: 'gone' },
    {
      reason: 'disabled',
      message: 'The receiver answered 410, which disabled its webhook.',
      next_attempt_at: null,
    },
  ],
  ['of a receiver without a place', { isLimited: true }, { reason: 'permit' }],
  ['with our own trouble', { waitReason: 'our_side', dueAt: at(5) }, { reason: 'our_side' }],
])('a delivery %s', (_, facts, expected) => {
  const waits = whyDeliveryWaits(delivery(facts), HERE);
  if (expected === null) expect(waits).toBeNull();
  else expect(waits).toMatchObject(expected);
});

test('without Temporal a delivery waits for it if no worker has its line', () => {
  expect(whyDeliveryWaits(delivery({ hasDrain: false }), AWAY)?.reason).toBe('temporal');
  expect(whyDeliveryWaits(delivery({ isUnderWay: true }), AWAY)).toBeNull();
  expect(whyDeliveryWaits(delivery({ ...TRIED, status: 500 }), AWAY)?.reason).toBe(
    'receiver_failing',
  );
});
