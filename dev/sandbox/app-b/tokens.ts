/** App B issues tokens for client credentials, for an hour. */
export const TOKEN_SECONDS = 3_600;
/** More are never needed at once, but a benchmark may request one per push. */
const MAX_TOKENS = 1_000;

export interface TokenShop {
  issue(): string;
  isValid(token: string | undefined): boolean;
  kill(token: string | undefined): void;
}

/** Bearer tokens by their end; the oldest goes when there are too many. */
export function createTokenShop(
  clock: () => number,
  newToken: () => string,
  seconds = TOKEN_SECONDS,
): TokenShop {
  const ends = new Map<string, number>();
  return {
    issue() {
      const token = newToken();
      ends.set(token, clock() + seconds * 1000);
      const [oldest] = ends.keys();
      if (ends.size > MAX_TOKENS && oldest !== undefined) ends.delete(oldest);
      return token;
    },
    isValid: (token) => token !== undefined && clock() < (ends.get(token) ?? 0),
    kill: (token) => {
      if (token !== undefined) ends.delete(token);
    },
  };
}
