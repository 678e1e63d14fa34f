/** The tokens that the app has given out, one shop each. */
export interface ShopTokens {
  issue(shopId: string): {
    readonly token: string;
    /** unix s, absolute */ readonly expires: number;
  };
  find(token: unknown): TokenState;
  /** From now on the token is expired. */
  expire(token: unknown): void;
}

type TokenState =
  | { readonly kind: 'shop'; readonly shopId: string }
  | { readonly kind: 'missing' | 'unknown' | 'expired' };

export interface ShopTokensOptions {
  readonly clock: () => number;
  readonly newId: (prefix: string) => string;
  readonly lifetimeSeconds: number;
}

export function createShopTokens({ clock, newId, lifetimeSeconds }: ShopTokensOptions): ShopTokens {
  const issued = new Map<string, { readonly shopId: string; expires: number }>();
  const now = (): number => Math.floor(clock() / 1000);
  return {
    issue(shopId) {
      const token = newId('token');
      const expires = now() + lifetimeSeconds;
      issued.set(token, { shopId, expires });
      return { token, expires };
    },
    find(token) {
      if (typeof token !== 'string' || token === '') return { kind: 'missing' };
      const found = issued.get(token);
      if (!found) return { kind: 'unknown' };
      return now() < found.expires ? { kind: 'shop', shopId: found.shopId } : { kind: 'expired' };
    },
    expire(token) {
      const found = typeof token === 'string' ? issued.get(token) : undefined;
      if (found) found.expires = 0;
    },
  };
}
