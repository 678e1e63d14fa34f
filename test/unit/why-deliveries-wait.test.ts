import { type DeliveryWait, whyDeliveryWaits } from '../../src/contract/why-it-waits';

const NOW = Date.parse('2026-11-28T12:00:00Z');
const at = (seconds: number) => new Date(NOW + seconds * 1_000);

function like(expected: object | null): unknown {
  if (expected === null) return null;
  return expect.objectContaining(expected);
}

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
    ownFault: null,
    ownFaultSince: null,
    isLimited: false,
    hasConsumer: true,
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
  ['made a moment ago', { dueAt: at(-1), hasConsumer: false }, null],
  ['that no worker takes', { hasConsumer: false }, { reason: 'our_side' }],
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
    'whose receiver fails, without a reason',
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
      isPauseAsked: false,
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
  ['of a receiver without a permit', { isLimited: true }, { reason: 'permit' }],
  [
    'with our own trouble, whatever its receiver said',
    { ...TRIED, dueAt: at(-5), status: 500, ownFault: 'proxy', ownFaultSince: at(-2) },
    { reason: 'our_side', since: at(-2) },
  ],
  ['that has time left', { ...TRIED, ownFault: 'proxy' }, { reason: 'receiver_failing' }],
])('a delivery %s', (_, facts, expected) => {
  expect(whyDeliveryWaits(delivery(facts))).toEqual(like(expected));
});
