import { Counter, Histogram, type Registry } from 'prom-client';
import type { DeliveryAppClient } from '../delivery-apps/app-client';
import { deliveryApps } from '../delivery-apps/registry';
import type { DeliveryApp } from '../delivery-apps/types';
import type { OutboundClient } from '../platform/outbound/types';
import type { OwnWork } from './types';

/** Longer, because a push of a large menu takes time. */
const CALL_BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

type Call = keyof DeliveryAppClient;
/** What the metrics call the end of a call: the kind of its result, or that it threw. */
type OutcomeOf<Name extends Call> =
  | Awaited<ReturnType<NonNullable<DeliveryAppClient[Name]>>>['kind']
  | 'threw';
const OF_PUSH = {
  live: true,
  accepted: true,
  partly_live: true,
  rejected: true,
  retry: true,
  token_expired: true,
  unknown: true,
  threw: true,
} as const;
const UNSETTLED = { retry: true, token_expired: true, unknown: true, threw: true } as const;
/** Every call and every possible result of it: a new one that is missing here does not compile. */
const OUTCOMES: { readonly [Name in Call]-?: Readonly<Record<OutcomeOf<Name>, true>> } = {
  fetchToken: { token: true, refused: true, retry: true, threw: true },
  pushMenu: OF_PUSH,
  pollTask: { ...OF_PUSH, running: true },
  readBack: { same: true, different: true, ...UNSETTLED },
  readMenu: { read: true, absent: true, ...UNSETTLED },
  switchItems: {
    switched: true,
    partly_switched: true,
    one_unknown: true,
    rejected: true,
    ...UNSETTLED,
  },
  changeItems: { changed: true, rejected: true, ...UNSETTLED },
  pauseStore: { done: true, rejected: true, ...UNSETTLED },
  setSpecialDays: { done: true, rejected: true, ...UNSETTLED },
};
const CALLS = Object.keys(OUTCOMES) as Call[];
/** For clients that are only asked which calls they have. */
const NO_HTTP: OutboundClient = {
  request: () => Promise.reject(new Error('metrics call no app')),
  close: async () => {},
};

/** The calls to delivery apps; each app has its series from the start, with 0. */
export function appCalls(registers: Registry[]): Pick<OwnWork, 'observeAppCall'> {
  const durations = new Histogram({
    name: 'app_call_duration_seconds',
    help: 'Time of a call to a delivery app; a call may be several requests',
    labelNames: ['app', 'call'],
    buckets: CALL_BUCKETS,
    registers,
  });
  const outcomes = new Counter({
    name: 'app_calls_total',
    help: 'Calls to delivery apps, by outcome',
    labelNames: ['app', 'call', 'outcome'],
    registers,
  });
  for (const app of deliveryApps()) {
    for (const call of callsOf(app)) {
      durations.zero({ app: app.name, call });
      for (const outcome of Object.keys(OUTCOMES[call])) {
        outcomes.inc({ app: app.name, call, outcome }, 0);
      }
    }
  }
  return {
    observeAppCall({ app, call, outcome }, seconds) {
      durations.observe({ app, call }, seconds);
      outcomes.inc({ app, call, outcome });
    },
  };
}

/** The calls that the app has: some have no tasks, or cannot be read. */
function callsOf(app: DeliveryApp): readonly Call[] {
  const client = app.createClient({ http: NO_HTTP, baseUrl: '', timeoutMs: 0 });
  return CALLS.filter((call) => client[call] !== undefined);
}
