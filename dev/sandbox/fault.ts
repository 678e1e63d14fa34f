/** All faults that a simulated app can be told to produce, once or several times. */
const FAULT_KINDS = [
  'status',
  'rate_limit',
  'slow',
  'late',
  'reset_before',
  'reset_mid',
  'token_expired',
  'bad_json',
  'errno',
  'task_stuck',
  'task_wait_retry',
  'task_failed',
  'task_partial',
  'task_success_refused',
  'approval',
  'item_failed',
  'days_refused',
  'webhook',
  'ok_but_old',
  'redirect',
  'endless_body',
] as const;

export type FaultKind = (typeof FAULT_KINDS)[number];

/** Performed by the frame, for every app alike. The app's simulator performs the others. */
export const COMMON_FAULT_KINDS: ReadonlySet<FaultKind> = new Set<FaultKind>([
  'status',
  'rate_limit',
  'slow',
  'late',
  'reset_before',
  'reset_mid',
  'token_expired',
  'bad_json',
  'ok_but_old',
  'redirect',
  'endless_body',
]);

/**
 * `read` is reading the menu back, `availability` a call that takes items off sale, `change` one that changes them,
 * `pause` and `special_days` ones about the store.
 */
const FAULT_ROUTES = [
  'token',
  'upload',
  'poll',
  'read',
  'availability',
  'change',
  'pause',
  'special_days',
] as const;
export type FaultRoute = (typeof FAULT_ROUTES)[number];

/**
 * `once` `always` `replaced` `kept` (token_expired; replaced: by another process, which has refreshed it; kept: the app gives it until a refresh) · `twice` `early` `never` `forged` (webhook) · `rejected` `never` `bare` `slow` (approval) ·
 * `date` (rate_limit: Retry-After as a date) · `cut` (bad_json: JSON that ends too early instead of HTML).
 */
const FAULT_MODES = [
  'once',
  'always',
  'twice',
  'early',
  'never',
  'forged',
  'rejected',
  'bare',
  'slow',
  'replaced',
  'kept',
  'date',
  'cut',
] as const;
export type FaultMode = (typeof FAULT_MODES)[number];

export interface Fault {
  readonly kind: FaultKind;
  readonly route: FaultRoute;
  /** How many requests meet it; Infinity for mode `always`. */
  readonly times: number;
  readonly mode?: FaultMode;
  /** HTTP status of `status`. */
  readonly status: number;
  /** Delay of `slow` and `late`, ms. */
  readonly ms: number;
  /** Retry-After of `rate_limit`, s. */
  readonly s: number;
  /** App C's error number, for `errno`. */
  readonly errno?: number;
  /** Ids that `task_partial`, `task_success_refused` and `item_failed` refuse. */
  readonly ids: readonly string[];
  /** The app's own id of the only store that meets it. */
  readonly storeId?: string;
}

export type FaultResult =
  | { readonly kind: 'fault'; readonly fault: Fault }
  | { readonly kind: 'invalid'; readonly message: string };

const KEYS = ['kind', 'mode', 'route', 'times', 'status', 'ms', 's', 'errno', 'ids', 'store_id'];
// Longer than the default total time of a push (30 s), so that a plain `late` is what its name says.
const DEFAULT_MS: Partial<Record<FaultKind, number>> = { slow: 1_000, late: 60_000 };
const MAX_MS = 600_000;

class InvalidFault extends Error {}

/** Checks a fault as sent to `_sandbox/faults`; `kinds` are those that the app knows. */
export function parseFault(value: unknown, kinds: ReadonlySet<FaultKind>): FaultResult {
  try {
    return { kind: 'fault', fault: faultOf(value, kinds) };
  } catch (error) {
    if (error instanceof InvalidFault) return { kind: 'invalid', message: error.message };
    throw error;
  }
}

function faultOf(value: unknown, kinds: ReadonlySet<FaultKind>): Fault {
  if (!isRecord(value)) throw new InvalidFault('A fault must be a JSON object.');
  const unknown = Object.keys(value).find((key) => !KEYS.includes(key));
  if (unknown !== undefined) throw new InvalidFault(`A fault has no field ${unknown}.`);
  const kind = oneOf('kind', value['kind'], [...kinds]);
  if (!kind) throw new InvalidFault('The kind is required.');
  const mode = oneOf('mode', value['mode'], FAULT_MODES);
  const times = whole('times', value['times'], 1, 100_000) ?? 1;
  const errno = whole('errno', value['errno'], 0, 99_999_999);
  const storeId = value['store_id'];
  if (storeId !== undefined && typeof storeId !== 'string') {
    throw new InvalidFault('The store_id must be a string.');
  }
  return {
    kind,
    route: oneOf('route', value['route'], FAULT_ROUTES) ?? usualRoute(kind),
    times: mode === 'always' ? Number.POSITIVE_INFINITY : times,
    ...(mode && { mode }),
    status: whole('status', value['status'], 200, 599) ?? 500,
    ms: whole('ms', value['ms'], 0, MAX_MS) ?? DEFAULT_MS[kind] ?? 0,
    s: whole('s', value['s'], 0, 86_400) ?? 1,
    ...(errno !== undefined && { errno }),
    ids: strings('ids', value['ids']),
    ...(storeId !== undefined && { storeId }),
  };
}

function usualRoute(kind: FaultKind): FaultRoute {
  if (kind === 'item_failed') return 'availability';
  if (kind === 'days_refused') return 'special_days';
  return kind.startsWith('task_') || kind === 'approval' ? 'poll' : 'upload';
}

function oneOf<T extends string>(name: string, value: unknown, known: readonly T[]): T | undefined {
  if (value === undefined) return undefined;
  const found = known.find((candidate) => candidate === value);
  if (found === undefined)
    throw new InvalidFault(`The ${name} must be one of ${known.join(', ')}.`);
  return found;
}

function whole(name: string, value: unknown, min: number, max: number): number | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < min || value > max) {
    throw new InvalidFault(`The ${name} must be a whole number from ${min} to ${max}.`);
  }
  return value;
}

function strings(name: string, value: unknown): readonly string[] {
  if (value === undefined) return [];
  if (!Array.isArray(value) || !value.every((one) => typeof one === 'string')) {
    throw new InvalidFault(`The ${name} must be an array of strings.`);
  }
  return value;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
