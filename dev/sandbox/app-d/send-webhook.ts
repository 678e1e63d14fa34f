import { createHmac } from 'node:crypto';
import { withinMs } from '../../../src/platform/within-ms';
import type { Approval } from './approvals';

export interface WebhookOptions {
  /** Where webhooks go; asked for each, as the receiver may start after the sandbox. */
  readonly callbackUrl: (() => string | undefined) | undefined;
  readonly secret: string;
  /** ms since epoch */
  readonly clock: () => number;
  readonly signal: AbortSignal;
}

const TIMEOUT_MS = 5_000;

/** Reports a decision as its mode demands: once, twice, never, or with another secret. Never rejects. */
export async function sendWebhook(options: WebhookOptions, approval: Approval): Promise<void> {
  const url = options.callbackUrl?.();
  const { webhookMode, status, storeId } = approval;
  if (url === undefined || webhookMode === 'never') return;
  const event = status === 'APPROVED' ? 'MENU_APPROVED' : 'MENU_REJECTED';
  const words = status === 'APPROVED' ? { message: 'Menu approved' } : {};
  const body = JSON.stringify({ store_id: storeId, ...words });
  const secret = webhookMode === 'forged' ? 'forged' : options.secret;
  for (let time = 0; time < (webhookMode === 'twice' ? 2 : 1); time += 1) {
    await post(options, `${url}?event=${event}`, body, secret);
  }
}

async function post(
  { clock, signal }: WebhookOptions,
  url: string,
  body: string,
  secret: string,
): Promise<void> {
  const t = Math.floor(clock() / 1000);
  const sign = createHmac('sha256', secret).update(`${t}.${body}`).digest('hex');
  try {
    const headers = {
      'content-type': 'application/json',
      'rappi-signature': `t=${t},sign=${sign}`,
    };
    const request = { method: 'POST', headers, body, redirect: 'error' } as const;
    await withinMs(TIMEOUT_MS, (limited) => fetch(url, { ...request, signal: limited }), signal);
  } catch {
    // A client that misses the webhook can ask.
  }
}
