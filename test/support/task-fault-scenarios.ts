import { failed, type FaultScenario, NOT_UPLOADED, uploaded } from './fault-outcomes';

/** How apps fail behind an upload that they have taken: Apps C and D, whose menus come to be shown later. */
export const TASK_FAULT_SCENARIOS: readonly FaultScenario[] = [
  {
    name: 'poll: status 500, once',
    faults: [{ kind: 'status', route: 'poll' }],
    expected: { 'app-c': uploaded(1), 'app-d': uploaded(1) },
  },
  {
    name: 'poll: bad_json',
    faults: [{ kind: 'bad_json', route: 'poll' }],
    expected: { 'app-c': uploaded(1), 'app-d': uploaded(1) },
  },
  {
    name: 'poll: token_expired, once',
    faults: [{ kind: 'token_expired', route: 'poll' }],
    expected: { 'app-c': uploaded(1), 'app-d': uploaded(1) },
  },
  {
    name: 'task_stuck',
    faults: [{ kind: 'task_stuck' }],
    dayPasses: true,
    expected: {
      'app-c': failed(1, NOT_UPLOADED, 'The delivery system did not finish its task in time.'),
    },
  },
  {
    name: 'task_wait_retry, 3 times',
    faults: [{ kind: 'task_wait_retry', times: 3 }],
    expected: { 'app-c': uploaded(1) },
  },
  {
    name: 'task_failed',
    faults: [{ kind: 'task_failed' }],
    expected: { 'app-c': failed(1, NOT_UPLOADED) },
  },
  {
    name: 'task_partial',
    faults: [{ kind: 'task_partial', ids: ['I2'] }],
    expected: {
      'app-c': {
        answer: 409,
        state: 'partly_uploaded',
        shown: 'new',
        pushes: 1,
        messages: ['The delivery system did not accept the whole menu.'],
      },
    },
  },
  {
    name: 'task_success_refused',
    faults: [{ kind: 'task_success_refused', ids: ['I2'] }],
    expected: {
      'app-c': {
        answer: 409,
        state: 'partly_uploaded',
        shown: 'new',
        pushes: 1,
        messages: ['The delivery system did not accept the whole menu.'],
      },
    },
  },
  {
    name: 'approval, rejected',
    faults: [{ kind: 'approval', mode: 'rejected' }],
    expected: {
      'app-d': failed(1, NOT_UPLOADED, 'Scripted: the prices are not those of the store'),
    },
  },
  {
    name: 'approval, never',
    faults: [{ kind: 'approval', mode: 'never' }],
    dayPasses: true,
    expected: {
      'app-d': failed(1, NOT_UPLOADED, 'The delivery system did not approve the menu in time.'),
    },
  },
  {
    name: 'approval, slow',
    faults: [{ kind: 'approval', mode: 'slow', times: 10 }],
    expected: { 'app-d': uploaded(1) },
  },
  {
    name: 'approval, bare',
    faults: [{ kind: 'approval', mode: 'bare' }],
    expected: { 'app-d': uploaded(1) },
  },
  ...(['twice', 'early', 'never', 'forged'] as const).map((mode) => ({
    name: `webhook, ${mode}`,
    faults: [{ kind: 'webhook', mode }],
    callbacks: true,
    expected: { 'app-c': uploaded(1), 'app-d': uploaded(1) },
  })),
];
