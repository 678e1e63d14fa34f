import { everywhere, failed, type FaultScenario, NOT_UPLOADED, uploaded } from './fault-outcomes';
import { TASK_FAULT_SCENARIOS } from './task-fault-scenarios';

/** Pauses that take minutes in production are short here, so that all scenarios together take seconds. */
export const FAULT_TIMING = {
  slowRetryMs: [300],
  settleMs: 500,
  approvalFirstMs: 200,
  approvalEveryMs: 200,
  approvalDeadlineMs: 20 * 3_600_000,
} as const;
/** A hundred scenarios at once take a busy machine longer than a caller waits by default. */
export const FAULT_ENV = {
  DELIVERY_APP_TIMEOUT: '2s',
  UPLOAD_WAIT: '80s',
  APP_D: 'rappi',
} as const;

/** App A is asked what it shows, B and C get the menu again; App D may have given its only answer. */
function withoutReadableAnswer(pushesToAppD: number): FaultScenario['expected'] {
  return { ...everywhere(uploaded(2)), 'app-a': uploaded(1), 'app-d': uploaded(pushesToAppD) };
}

export const FAULT_SCENARIOS: readonly FaultScenario[] = [
  {
    name: 'status 500, once',
    faults: [{ kind: 'status', status: 500 }],
    expected: everywhere(uploaded(2)),
  },
  {
    name: 'status 503, longer than a round of quick retries',
    faults: [{ kind: 'status', status: 503, times: 4 }],
    expected: everywhere(uploaded(5)),
  },
  {
    name: 'status 503, until our patience ends',
    faults: [{ kind: 'status', status: 503, times: 1_000 }],
    dayPasses: true,
    expected: everywhere({
      answer: 409,
      state: 'failed',
      shown: 'old',
      messages: [NOT_UPLOADED, 'status 503'],
    }),
  },
  {
    name: 'status 400',
    faults: [{ kind: 'status', status: 400 }],
    expected: {
      'app-a': failed(1, NOT_UPLOADED, 'scripted'),
      'app-b': failed(1, NOT_UPLOADED, 'scripted'),
      'app-c': failed(1, NOT_UPLOADED, 'status 400'),
      'app-d': failed(1, NOT_UPLOADED, 'status 400'),
    },
  },
  {
    name: 'token: status 500, once',
    faults: [{ kind: 'token_expired' }, { kind: 'status', status: 500, route: 'token' }],
    expected: everywhere(uploaded(2)),
  },
  {
    name: 'token: refused',
    faults: [{ kind: 'token_expired' }, { kind: 'status', status: 401, route: 'token' }],
    expected: everywhere(failed(1, 'Unable to get token.')),
  },
  {
    name: 'token: errno 14106',
    faults: [{ kind: 'token_expired' }, { kind: 'errno', errno: 14_106, route: 'token' }],
    expected: { 'app-c': failed(1, 'Unable to get token.') },
  },
  {
    name: 'rate_limit 1 s',
    faults: [{ kind: 'rate_limit', s: 1 }],
    expected: everywhere(uploaded(2)),
  },
  {
    name: 'rate_limit, as a date',
    faults: [{ kind: 'rate_limit', s: 1, mode: 'date' }],
    expected: everywhere(uploaded(2)),
  },
  {
    name: 'slow, within our time-out',
    faults: [{ kind: 'slow', ms: 500 }],
    expected: everywhere(uploaded(1)),
  },
  {
    name: 'late: applied, answered after our time-out',
    faults: [{ kind: 'late', ms: 4_000 }],
    expected: withoutReadableAnswer(2),
  },
  {
    name: 'reset_before',
    faults: [{ kind: 'reset_before' }],
    expected: everywhere(uploaded(2)),
  },
  {
    name: 'reset_mid',
    faults: [{ kind: 'reset_mid' }],
    expected: withoutReadableAnswer(2),
  },
  {
    name: 'token_expired, once',
    faults: [{ kind: 'token_expired' }],
    expected: everywhere(uploaded(2)),
  },
  {
    name: 'token_expired, always',
    faults: [{ kind: 'token_expired', mode: 'always' }],
    expected: everywhere(failed(2, NOT_UPLOADED, 'The delivery system did not accept the token.')),
  },
  {
    name: 'token_expired, replaced by another process',
    faults: [{ kind: 'token_expired', mode: 'replaced' }],
    expected: everywhere(uploaded(2)),
  },
  {
    name: 'token_expired, and given again until a refresh',
    faults: [{ kind: 'token_expired', mode: 'kept' }],
    expected: everywhere(uploaded(2)),
  },
  {
    name: 'bad_json (HTML)',
    faults: [{ kind: 'bad_json' }],
    expected: withoutReadableAnswer(1),
  },
  {
    name: 'bad_json (cut)',
    faults: [{ kind: 'bad_json', mode: 'cut' }],
    expected: withoutReadableAnswer(1),
  },
  {
    name: 'ok_but_old',
    faults: [{ kind: 'ok_but_old' }],
    // Only App A is asked what it shows.
    expected: {
      'app-a': uploaded(2),
      'app-b': { ...uploaded(1), shown: 'old' },
      'app-c': { ...uploaded(1), shown: 'old' },
    },
  },
  {
    name: 'ok_but_old, and the app knows of no such menu',
    faults: [{ kind: 'ok_but_old' }],
    dayPasses: true,
    expected: {
      'app-d': failed(1, NOT_UPLOADED, 'The delivery system did not approve the menu in time.'),
    },
  },
  {
    name: 'redirect',
    faults: [{ kind: 'redirect' }],
    expected: everywhere(failed(1, NOT_UPLOADED, 'status 302')),
  },
  {
    name: 'endless_body',
    faults: [{ kind: 'endless_body' }],
    expected: withoutReadableAnswer(1),
  },
  {
    name: 'errno 10001',
    faults: [{ kind: 'errno', errno: 10_001 }],
    expected: { 'app-c': failed(1, NOT_UPLOADED, 'scripted (errno 10001)') },
  },
  {
    name: 'errno without a published meaning, 3 times',
    faults: [{ kind: 'errno', errno: 99_999, times: 3 }],
    expected: { 'app-c': uploaded(4) },
  },
  {
    name: 'errno without a published meaning, once more',
    faults: [{ kind: 'errno', errno: 99_999, times: 4 }],
    expected: { 'app-c': failed(4, NOT_UPLOADED, 'scripted (errno 99999)') },
  },
  ...TASK_FAULT_SCENARIOS,
];
