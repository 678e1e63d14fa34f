import { itemDataPayload } from '../../src/webhooks/payload';
import { newId } from '../../src/platform/ids';
import { parseCidrs } from '../../src/platform/outbound/addresses';
import { createOutboundClient, type GuardedClient } from '../../src/platform/outbound/http-client';
import { generateSecret } from '../../src/platform/crypto/signing';
import { createPermits } from '../../src/platform/admission/permits';
import { sendAttempt } from '../../src/webhooks/attempt/send-attempt';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver';

let receiver: WebhookReceiver;
let http: GuardedClient;
beforeAll(async () => {
  receiver = await startWebhookReceiver();
  http = createOutboundClient({ allowCidrs: parseCidrs('127.0.0.0/8'), userAgent: 'test' });
});
afterAll(async () => {
  await receiver.close();
  await http.close();
});

interface Given {
  readonly client?: GuardedClient;
  readonly url: string;
  readonly type: 1 | 2;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  readonly ownHeaders?: Readonly<Record<string, string>>;
}

const attemptTo = ({ client = http, url, type, timeoutMs, signal, ownHeaders = {} }: Given) => {
  const payload = itemDataPayload({
    inventorySystemId: 'i',
    externalStoreId: 's',
    units: '[]',
    items: '[]',
    suppliers: '[]',
  });
  return sendAttempt(
    { http: client, timeoutMs, unhurried: createPermits({ ofAll: 1 }), now: Date.now },
    {
      url,
      type,
      secrets: [generateSecret()],
      ownHeaders,
      delivery: {
        deliveryId: newId('dlv'),
        messageId: newId('msg'),
        sequence: 1,
        payload,
        payloadBytes: 100,
        attemptsMade: 0,
        attemptsBeforeResend: 0,
        receiverStatus: null,
        message: null,
        traceParent: null,
      },
      payload,
      startedAt: Date.now(),
      signal: signal ?? new AbortController().signal,
      maySend: () => true,
      onEarlyRelease: () => {},
    },
  );
};

test.each([1, 2] as const)(
  'an attempt of type %d that is aborted before its request sends nothing',
  async (type) => {
    const path = `/given-up-${type}`;
    receiver.answer(path, () => {});
    const signal = AbortSignal.abort();
    const end = await attemptTo({ url: receiver.url + path, type, timeoutMs: 1_000, signal });
    expect(end).toMatchObject({ verdict: { kind: 'interrupted' }, health: null });
    expect(receiver.receivedAt(path)).toHaveLength(0);
  },
);

test.each([1, 2] as const)(
  'an attempt of type %d whose host is not resolved in time says so, and not that no answer came',
  async (type) => {
    const client = createOutboundClient({
      allowCidrs: parseCidrs('127.0.0.0/8'),
      userAgent: 'test',
      lookup: () => new Promise(() => {}),
    });
    const url = 'https://receiver.example/';
    const end = await attemptTo({ client, url, type, timeoutMs: 100 });
    expect(end).toMatchObject({
      verdict: { kind: 'retry' },
      error: 'dns_failed',
      failure: 'receiver.example: the host name could not be resolved (ETIMEOUT)',
    });
    await client.close();
  },
);

test.each([1, 2] as const)(
  'an attempt of type %d that gets no answer in time has timed out',
  async (type) => {
    const path = `/silent-${type}`;
    receiver.answer(path, () => {});
    const end = await attemptTo({ url: receiver.url + path, type, timeoutMs: 200 });
    expect(end).toMatchObject({ error: 'timeout', status: null });
    expect(receiver.receivedAt(path)).toHaveLength(1);
  },
);

test.each([1, 2] as const)(
  'the answer to an attempt of type %d is kept without the receiver’s own headers',
  async (type) => {
    const path = `/echo-${type}`;
    const ownHeaders = {
      authorization: 'Bearer abc/def',
      'x-api-key': '5"/e-secret',
      'x-mode': '1',
      'x-debug': 'true',
    };
    receiver.answer(path, (response, { headers }) => {
      const message = `1 key is wrong: ${String(headers['x-api-key'])} or ${headers.authorization}`;
      const text = JSON.stringify({
        message,
        ok: true,
        token: 'abc/def',
        headers,
        long: 'x'.repeat(2_000),
      });
      // As PHP writes it.
      response.writeHead(422).end(text.replaceAll('/', String.raw`\/`));
    });
    const end = await attemptTo({
      url: receiver.url + path,
      type,
      timeoutMs: 10_000,
      ownHeaders,
    });
    expect(end.response).toMatch(
      /^\{"message":"1 key is wrong: \[redacted\] or \[redacted\]","ok":true,"token":"\[redacted\]","headers":/,
    );
    // Not its parts alone: a signature may have them by chance.
    expect(end.response).not.toMatch(/abc\\?\/def|e-secret/);
    expect(end.verdict).toMatchObject(
      type === 1
        ? { kind: 'delivered' }
        : { kind: 'refused', message: '1 key is wrong: [redacted] or [redacted]' },
    );
  },
);
