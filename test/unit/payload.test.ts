import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { rawMembers } from '../../src/platform/text/raw-json';
import {
  itemDataPayload,
  renderBody,
  stockPayload,
  testEventPayload,
} from '../../src/webhooks/payload';
import { unixSeconds, wholeSecond } from '../../src/platform/whole-second';
import { generateSecret, verifyRequestSignature } from '../../src/platform/crypto/signing';
import { buildWebhookRequest } from '../../src/webhooks/attempt/webhook-request';

const NOW = wholeSecond(Date.UTC(2026, 10, 21, 12, 0, 0, 999));
const ids = { inventorySystemId: '6f1c2a52-0d5b-4a38-9a36-7e9b1f0c7d11', externalStoreId: 'S"1' };

test('now is in whole seconds, never ahead of the clock, and always ends .000Z', () => {
  expect(NOW).toBe('2026-11-21T12:00:00.000Z');
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 4_102_444_800_000 }), (ms) => {
      const now = wholeSecond(ms);
      expect(now).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/);
      expect(unixSeconds(now)).toBe(Math.floor(ms / 1_000));
    }),
  );
});

test('type 1 carries exactly the documented keys', () => {
  const payload = itemDataPayload({ ...ids, units: '[]', items: '[{"id":1}]', suppliers: '[]' });
  expect(renderBody(payload, NOW)).toBe(
    `{"now":"${NOW}","inventory_system_id":"${ids.inventorySystemId}",` +
      String.raw`"units":[],"items":[{"id":1}],"suppliers":[],"store_id":"S\"1"}`,
  );
});

test('type 2 carries exactly the documented keys and the item', () => {
  const stock = { externalId: 'i', currentStock: '10.50', quantity: '2', date: '2026-11-21' };
  const payload = stockPayload({ ...ids, ...stock, movementType: 2 });
  expect(JSON.parse(renderBody(payload, NOW))).toEqual({
    now: NOW,
    inventory_system_id: ids.inventorySystemId,
    external_id: 'i',
    current_stock: '10.50',
    quantity: '2',
    date: '2026-11-21',
    movement_type: 2,
    store_id: 'S"1',
  });
});

test('a POS’s text reaches the receiver byte for byte: blanks, zeros, big numbers, escapes', () => {
  const units = String.raw`[ {"f":1.0, "n":9007199254740993}, "\u00e9\/" ]`;
  const request = `{"items":[1e400],"units":${units},"suppliers":[{"b":1,"a":2,"b":3}]}`;
  const members = rawMembers(request);
  const payload = itemDataPayload({
    ...ids,
    units: members.get('units') ?? '',
    items: members.get('items') ?? '',
    suppliers: members.get('suppliers') ?? '',
  });
  const sent = rawMembers(renderBody(payload, NOW));
  expect(sent.get('units')).toBe(units);
  expect(sent.get('items')).toBe('[1e400]');
  expect(sent.get('suppliers')).toBe('[{"b":1,"a":2,"b":3}]');
});

test('two attempts of a delivery differ only in now', () => {
  const payload = itemDataPayload({ ...ids, units: '[1]', items: '[2]', suppliers: '[3]' });
  const later = wholeSecond(unixSeconds(NOW) * 1_000 + 5_000);
  expect(renderBody(payload, later)).toBe(renderBody(payload, NOW).replace(NOW, later));
});

test.each(['', '[]', '{}', ' {"a":1}', '{ "a":1}', 'null'])(
  'text that is not a stored payload is not sent: %j',
  (text) => {
    expect(() => renderBody(text, NOW)).toThrow('must start with {"');
  },
);

test('an event is sent unchanged, with only the headers of Standard Webhooks', () => {
  const secrets = [generateSecret()] as const;
  const payload = testEventPayload(new Date(NOW));
  expect(payload).toBe(`{"type":"webhook.test","timestamp":"${NOW}","data":{}}`);
  const attempt = {
    type: 3,
    payload,
    secrets,
    messageId: 'msg_1',
    sequence: 42,
    now: Date.now(),
  } as const;
  const { headers, body } = buildWebhookRequest(attempt);
  expect(body).toBe(payload);
  expect(Object.keys(headers).toSorted()).toEqual([
    'content-type',
    'user-agent',
    'webhook-id',
    'webhook-sequence',
    'webhook-signature',
    'webhook-timestamp',
  ]);
  expect(new Webhook(secrets[0]).verify(body, headers)).toEqual(JSON.parse(payload));
});

test('an attempt has one time: in the body and in both signatures', () => {
  const secrets = [generateSecret()] as const;
  const payload = itemDataPayload({ ...ids, units: '[]', items: '[]', suppliers: '[]' });
  const now = Date.UTC(2026, 10, 21, 12, 0, 0, 7);
  const attempt = { type: 1, payload, secrets, messageId: 'msg_1', sequence: 42, now } as const;
  const { headers, body } = buildWebhookRequest(attempt);
  expect(body).toContain(`"now":"${NOW}"`);
  expect(headers).toMatchObject({
    'content-type': 'application/json',
    'webhook-id': 'msg_1',
    'webhook-sequence': '42',
    'webhook-timestamp': String(unixSeconds(NOW)),
  });
  const signature = headers['x-signature-request'] ?? '';
  expect(verifyRequestSignature({ secrets, now: NOW, signature, body })).toBe(true);
});
