import { isHeaderSafe } from '../../src/delivery-apps/read-bearer-token';
import type { AppCredential, ClientOptions, TokenResult } from '../../src/delivery-apps/app-client';
import type { DeliveryApp } from '../../src/delivery-apps/types';
import { appE } from './app-e';

const DAY_MS = 86_400_000;

/** App E with a key that goes along with each call, and no token call. */
export const keyedAppE: DeliveryApp = {
  ...appE,
  createClient: (options: ClientOptions) => ({ ...appE.createClient(options), fetchToken }),
};

// Kept for a day: a changed key counts once the app has refused the old one, or then.
async function fetchToken({ clientSecret: token }: AppCredential): Promise<TokenResult> {
  if (isHeaderSafe(token)) return { kind: 'token', token, expiresAt: Date.now() + DAY_MS };
  return { kind: 'refused', reason: 'The key has characters that no header can have.' };
}
