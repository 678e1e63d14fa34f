import {
  type ChangeWait,
  type UploadWait,
  whyChangeWaits,
  whyUploadWaits,
} from '../../src/contract/why-it-waits';

const NOW = Date.parse('2026-11-28T12:00:00Z');
const at = (seconds: number) => new Date(NOW + seconds * 1_000);
const HERE = { isTemporalAway: false };
const AWAY = { isTemporalAway: true };

function like(expected: object | null): unknown {
  if (expected === null) return null;
  return expect.objectContaining(expected);
}

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
    isLeased: true,
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
  ['accepted a moment ago', { isQueued: true, readySince: at(-1), isLeased: false }, null],
  ['that no worker takes', { isQueued: true, isLeased: false }, { reason: 'our_side' }],
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
    'that waits for a permit of the pushes',
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
    'postponed after a wait for a permit, which forgot the reason',
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
  expect(whyUploadWaits(upload(facts), HERE)).toEqual(like(expected));
});

function reasonOf(facts: Partial<UploadWait>) {
  return whyUploadWaits(upload(facts), AWAY)?.reason;
}

test('without Temporal an upload waits for it once it is due, and not while it is pushed or has time left', () => {
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
    isLeased: true,
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
  ['that is collected with others by stock', { dueAt: at(1), isLeased: false }, null],
  ['that no worker takes', { isLeased: false }, { reason: 'our_side' }],
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
  expect(whyChangeWaits(change(facts), HERE)).toEqual(like(expected));
});

test('without Temporal a change waits for it once it is due', () => {
  expect(whyChangeWaits(change({ isLeased: false }), AWAY)?.reason).toBe('temporal');
  expect(whyChangeWaits(change({ ...FAILED, retryAt: at(5) }), AWAY)?.reason).toBe('app_busy');
});
