import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { withinMs } from '../../../src/platform/within-ms';
import { isJsonObject } from './menu-checks';

export interface CallbackRequest {
  readonly url: string;
  readonly body: string;
  /** Signs the body; a forger has another one. */
  readonly secret: string;
  readonly signal: AbortSignal;
}

const ATTEMPTS = 3;
const PAUSE_MS = 500;
const TIMEOUT_MS = 5_000;

/** Posts a signed callback, at most three times until it is answered `errno` 0. Never rejects. */
export async function sendCallback(request: CallbackRequest): Promise<void> {
  for (let attempt = 1; attempt <= ATTEMPTS && !request.signal.aborted; attempt += 1) {
    if (await isTaken(request)) return;
    await wait(PAUSE_MS, undefined, { signal: request.signal, ref: false }).catch(() => undefined);
  }
}

async function isTaken({ url, body, secret, signal }: CallbackRequest): Promise<boolean> {
  try {
    const headers = {
      'content-type': 'application/json',
      'didi-header-sign': signatureOf(body, secret),
    };
    const request = { method: 'POST', headers, body, redirect: 'error' } as const;
    return await withinMs(
      TIMEOUT_MS,
      async (limited) => {
        const response = await fetch(url, { ...request, signal: limited });
        const answer: unknown = await response.json();
        return response.ok && isJsonObject(answer) && answer['errno'] === 0;
      },
      signal,
    );
  } catch {
    return false;
  }
}

function signatureOf(body: string, secret: string): string {
  return createHash('md5').update(body).update(secret).digest('hex');
}
