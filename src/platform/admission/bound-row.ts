import type { SETTINGS } from '../config/settings';

/** Of a bound on one thing, which nobody shares. */
type OneThing = 'one body' | 'one upload' | 'one payload' | 'one store';

/** Whom a bound counts what is used with, so that one cannot keep all others out. */
type BoundKey =
  | 'user'
  | 'address'
  | 'user or address'
  | 'token'
  | 'integration'
  | 'webhook'
  | 'host'
  | OneThing;

/**
 * What one key may have of a bound that keys share. Where they are served `key by key` it may have all for a moment.
 */
type BoundShare = 'three quarters' | 'half' | 'key by key';

export interface BoundRow {
  readonly what: string;
  /** Whose it is; the API's if not said. */
  readonly process?: 'worker' | 'both';
  readonly key: BoundKey;
  /** Not said: each key has the limit for itself. */
  readonly share?: BoundShare;
  /** In `unit`; absent: `setting` says it. */
  readonly limit?: number;
  readonly setting?: keyof typeof SETTINGS;
  /** Requests if not said. */
  readonly unit?: string;
  /** What happens past it. */
  readonly answer: string;
}
