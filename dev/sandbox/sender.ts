import type { ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { isSecret, type SigningSecrets } from '../../src/platform/crypto/signing';
import {
  judgeItemData,
  judgePlatformEvent,
  judgeStock,
} from '../../src/webhooks/attempt/judge-answer';
import type { ReceiverAnswer } from '../../src/webhooks/attempt/read-answer';
import { itemDataPayload, stockPayload, testEventPayload } from '../../src/webhooks/payload';
import {
  buildWebhookRequest,
  type WebhookRequest,
} from '../../src/webhooks/attempt/webhook-request';
import { EVENTS } from '../../src/webhooks/platform-events';
import type { SandboxEnv, SandboxPart, SandboxPartFactory } from './sandbox-part';
import { sendJson } from './send-json';
import { withinMs } from '../../src/platform/within-ms';

const TIMEOUT_MS = 10_000;
/** A client of the sandbox must not be able to reach anything else through it. */
const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]']);
const TO = { inventorySystemId: '3f0e9d3c-5a6b-4b7e-9a51-0c9f5d2a7e11', externalStoreId: 'S-77' };

/** What one type of webhook sends, and what its answers mean. */
const TYPES = {
  1: {
    type: 1,
    payload: () =>
      itemDataPayload({
        ...TO,
        units: '[{"id":"kg"}]',
        items: '[{"id":"margherita","unit":"kg"}]',
        suppliers: '[]',
      }),
    judge: judgeItemData,
  },
  2: {
    type: 2,
    payload: () =>
      stockPayload({
        ...TO,
        externalId: 'margherita',
        currentStock: '18',
        quantity: '2',
        date: '2026-01-31T19:45:00Z',
        movementType: 2,
      }),
    judge: judgeStock,
  },
  events: {
    type: EVENTS,
    payload: (now: number) => testEventPayload(new Date(now)),
    judge: judgePlatformEvent,
  },
} as const;

interface Order {
  readonly url: string;
  readonly type: keyof typeof TYPES;
  readonly secrets: SigningSecrets;
  readonly messageId: string | null;
}

/**
 * The service's side of a webhook, for developing a receiver: `POST /sender/_sandbox/send` signs a message as the
 * service does, sends it once to a URL on this machine, and reports how the service would interpret the answer.
 */
export function createSender({ secret }: { readonly secret: string }): SandboxPartFactory {
  return (env) => createPart(secret, env);
}

function createPart(secret: string, env: SandboxEnv): SandboxPart {
  let sequence = 0;
  return {
    name: 'sender',
    description: 'Sends a signed webhook to a receiver on this machine: POST _sandbox/send {url}.',
    async handle({ method, path, raw }, response) {
      if (path !== '/_sandbox/send') return sendJson(response, 404, { error: 'not_found' });
      if (method !== 'POST') return sendJson(response, 405, { error: 'POST only' });
      const order = readOrder(await json(raw).catch(() => undefined), secret);
      if (typeof order === 'string') return sendJson(response, 400, { error: order });
      sequence += 1;
      await carryOut(order, sequence, env, response);
    },
  };
}

async function carryOut(
  { url, type, secrets, messageId }: Order,
  sequence: number,
  { clock, newId, signal }: SandboxEnv,
  response: ServerResponse,
): Promise<void> {
  const { type: number, payload, judge } = TYPES[type];
  const now = clock();
  const request = buildWebhookRequest({
    type: number,
    payload: payload(now),
    secrets,
    messageId: messageId ?? newId('msg'),
    sequence,
    now,
  });
  const answer = await send(url, request, signal);
  sendJson(response, 200, { sent: request, answer, verdict: judge(answer, now) });
}

function send(url: string, request: WebhookRequest, closing: AbortSignal): Promise<ReceiverAnswer> {
  return withinMs(TIMEOUT_MS, (signal) => sendUntil(url, request, signal), closing);
}

async function sendUntil(
  url: string,
  { headers, body }: WebhookRequest,
  signal: AbortSignal,
): Promise<ReceiverAnswer> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers,
      body,
      redirect: 'manual',
      signal,
    });
    return {
      kind: 'answered',
      status: response.status,
      retryAfter: response.headers.get('retry-after'),
      text: await response.text(),
      secrets: [],
    };
  } catch {
    const cause = signal.aborted ? 'timeout' : 'network';
    return { kind: 'unanswered', cause, sent: signal.aborted };
  }
}

/** The order, or what is wrong with it. */
function readOrder(body: unknown, ownSecret: string): Order | string {
  if (typeof body !== 'object' || body === null) return 'The body must be a JSON object.';
  const {
    url,
    type = 2,
    secret = ownSecret,
    message_id: messageId = null,
  } = {
    ...(body as Readonly<Record<string, unknown>>),
  };
  if (typeof url !== 'string' || !isOnThisMachine(url)) {
    return 'The url must be http on 127.0.0.1, ::1 or localhost.';
  }
  if (type !== 1 && type !== 2 && type !== 'events') return 'The type must be 1, 2 or "events".';
  if (typeof secret !== 'string' || !isSecret(secret)) {
    return 'The secret must be whsec_ followed by the base64 of 24 to 64 bytes.';
  }
  if (messageId !== null && !(typeof messageId === 'string' && /^[\w-]{1,255}$/.test(messageId))) {
    return 'The message_id must be letters, digits, _ and -.';
  }
  return { url, type, secrets: [secret], messageId };
}

function isOnThisMachine(text: string): boolean {
  try {
    const { protocol, hostname } = new URL(text);
    return protocol === 'http:' && LOOPBACK.has(hostname);
  } catch {
    return false;
  }
}
