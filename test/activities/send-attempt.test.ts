import { itemDataPayload } from '../../src/webhooks/payload';
import { newId } from '../../src/platform/ids';
import { parseCidrs } from '../../src/platform/outbound/addresses';
import { createOutboundClient, type GuardedClient } from '../../src/platform/outbound/http-client';
import { generateSecret } from '../../src/platform/crypto/signing';
import { sendAttempt, createUnhurriedAnswers } from '../../src/webhooks/attempt/send-attempt';
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

test.each([1, 2] as const)(
  'an attempt of type %d that is aborted before its request sends nothing',
  async (type) => {
    const path = `/given-up-${type}`;
    receiver.answer(path, () => {});
    const payload = itemDataPayload({
      inventorySystemId: 'i',
      externalStoreId: 's',
      units: '[]',
      items: '[]',
      suppliers: '[]',
    });
    const end = await sendAttempt(
      { http, timeoutMs: 1_000, unhurried: createUnhurriedAnswers(1) },
      {
        url: receiver.url + path,
        type,
        secrets: [generateSecret()],
        ownHeaders: {},
        delivery: {
          deliveryId: newId('dlv'),
          messageId: newId('msg'),
          sequence: 1,
          payload,
          payloadBytes: 100,
          attemptsMade: 0,
          attemptsBeforeResend: 0,
          traceParent: null,
        },
        payload,
        signal: AbortSignal.abort(),
        onEarlyRoom: () => {},
      },
    );
    expect(end).toMatchObject({ verdict: { kind: 'interrupted' }, health: null });
    expect(receiver.receivedAt(path)).toHaveLength(0);
  },
);
