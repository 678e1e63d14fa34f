/** The tokens of the shops: each shop has one, from the day on which it authorised the app. */
export interface ShopTokens {
  /** Reads the shop's token; an expired one stays expired until a refresh. */
  get(shopId: string): ShopToken | 'expired';
  /** Makes a new token; within the cool-down of the last refresh it silently makes none. */
  refresh(shopId: string): void;
  find(token: unknown): TokenState;
  /** From now on the token is expired. */
  expire(token: unknown): void;
  /** From now on no call takes the token, although it can be read until a refresh. */
  kill(token: unknown): void;
  /** Another process has refreshed the shop's token: this one is dead, and the new one waits to be read. */
  replace(token: unknown): void;
}

interface ShopToken {
  readonly token: string;
  /** unix s, absolute */
  readonly expires: number;
}

type TokenState =
  | { readonly kind: 'shop'; readonly shopId: string }
  | { readonly kind: 'unknown' | 'expired' };

export interface ShopTokensOptions {
  readonly clock: () => number;
  readonly newId: (prefix: string) => string;
  readonly lifetimeSeconds: number;
  readonly coolDownSeconds: number;
}

export function createShopTokens(options: ShopTokensOptions): ShopTokens {
  const { clock, newId, lifetimeSeconds, coolDownSeconds } = options;
  const current = new Map<string, { readonly token: string; expires: number }>();
  const shops = new Map<string, string>();
  const refreshedAt = new Map<string, number>();
  const dead = new Set<unknown>();
  const now = (): number => Math.floor(clock() / 1000);

  function issue(shopId: string): ShopToken {
    const made = { token: newId('token'), expires: now() + lifetimeSeconds };
    current.set(shopId, made);
    shops.set(made.token, shopId);
    return made;
  }

  return {
    get(shopId) {
      const kept = current.get(shopId) ?? issue(shopId);
      return now() < kept.expires ? kept : 'expired';
    },
    refresh(shopId) {
      const last = refreshedAt.get(shopId);
      if (last !== undefined && now() - last < coolDownSeconds) return;
      refreshedAt.set(shopId, now());
      issue(shopId);
    },
    find(token) {
      const shopId = typeof token === 'string' ? shops.get(token) : undefined;
      if (shopId === undefined) return { kind: 'unknown' };
      const kept = current.get(shopId);
      const isGood =
        kept !== undefined && kept.token === token && now() < kept.expires && !dead.has(token);
      return isGood ? { kind: 'shop', shopId } : { kind: 'expired' };
    },
    expire(token) {
      const shopId = typeof token === 'string' ? shops.get(token) : undefined;
      const kept = shopId === undefined ? undefined : current.get(shopId);
      if (kept && kept.token === token) kept.expires = 0;
    },
    kill: (token) => void dead.add(token),
    replace(token) {
      const shopId = typeof token === 'string' ? shops.get(token) : undefined;
      if (shopId === undefined) return;
      refreshedAt.set(shopId, now());
      issue(shopId);
    },
  };
}
