import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
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
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'didi-header-sign': signatureOf(body, secret),
      },
      body,
      redirect: 'error',
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    const answer: unknown = await response.json();
    return response.ok && isJsonObject(answer) && answer['errno'] === 0;
  } catch {
    return false;
  }
}

function signatureOf(body: string, secret: string): string {
  return createHash('md5').update(body).update(secret).digest('hex');
}
