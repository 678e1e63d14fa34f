/** Scope that menus need. */
export const MENU_SCOPE = 'eats.store';
/** Scope that pauses need besides. */
export const STATUS_SCOPE = 'eats.store.status.write';
const KNOWN_SCOPES: ReadonlySet<string> = new Set([
  MENU_SCOPE,
  STATUS_SCOPE,
  'eats.order',
  'eats.report',
]);

/** 30 days. */
const LIFETIME_S = 2_592_000;
const CALLS_AN_HOUR = 100;
const LIVE_TOKENS = 100;
const HOUR_MS = 3_600_000;

type TokenGrant =
  | { readonly kind: 'granted'; readonly token: string; readonly expiresIn: number }
  | { readonly kind: 'invalid_scope' }
  | { readonly kind: 'too_many_calls'; readonly retryAfterS: number };

type TokenCheck = 'valid' | 'unauthorized' | 'missing_scope';

export interface TokenOffice {
  /** `scope` as in the request: names with spaces between. */
  grant(scope: string): TokenGrant;
  check(token: string, scope?: string): TokenCheck;
  /** The token is dead from now on. */
  revoke(token: string): void;
}

interface LiveToken {
  readonly scope: string;
  readonly expiresAt: number;
}

/** Gives and checks tokens as the app does: 100 calls an hour, and 100 live tokens of which the oldest dies first. */
export function createTokenOffice(
  clock: () => number,
  newId: (prefix: string) => string,
): TokenOffice {
  // In order of issue, as a Map keeps it.
  const live = new Map<string, LiveToken>();
  let calls: number[] = [];

  function evictOldest(): void {
    const [oldest] = live.keys();
    if (live.size > LIVE_TOKENS && oldest !== undefined) live.delete(oldest);
  }

  return {
    grant(scope) {
      const scopes = scope.split(' ').filter((name) => name !== '');
      if (scopes.length === 0 || !scopes.every((name) => KNOWN_SCOPES.has(name))) {
        return { kind: 'invalid_scope' };
      }
      const now = clock();
      calls = calls.filter((at) => at > now - HOUR_MS);
      const [first] = calls;
      if (calls.length >= CALLS_AN_HOUR && first !== undefined) {
        return { kind: 'too_many_calls', retryAfterS: Math.ceil((first + HOUR_MS - now) / 1000) };
      }
      calls.push(now);
      const token = newId('token');
      live.set(token, { scope, expiresAt: now + LIFETIME_S * 1000 });
      evictOldest();
      return { kind: 'granted', token, expiresIn: LIFETIME_S };
    },
    check(token, scope = MENU_SCOPE) {
      const known = live.get(token);
      if (!known || known.expiresAt <= clock()) return 'unauthorized';
      return known.scope.split(' ').includes(scope) ? 'valid' : 'missing_scope';
    },
    revoke: (token) => {
      live.delete(token);
    },
  };
}
