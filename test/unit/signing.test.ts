import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { type WholeSecond, wholeSecond } from '../../src/platform/whole-second';
import {
  generateSecret,
  isSecret,
  signWebhook,
  type SigningSecrets,
  verifyRequestSignature,
  verifyStandardSignature,
} from '../../src/platform/crypto/signing';
import vectors from '../vectors/webhook-signatures.json';

type Vector = (typeof vectors.valid)[number];

/** The vectors were made by another implementation, in another language. */
function verify({ secrets, headers, body, now }: Vector): { standard: boolean; request: boolean } {
  return {
    standard: verifyStandardSignature({
      secrets,
      messageId: headers['webhook-id'],
      timestamp: headers['webhook-timestamp'],
      signature: headers['webhook-signature'],
      body: Buffer.from(body),
    }),
    request: verifyRequestSignature({
      secrets,
      now,
      signature: headers['x-signature-request'],
      body: Buffer.from(body),
    }),
  };
}

test.each(vectors.valid)('signs as every other implementation does: $name', (vector) => {
  const [newest = '', previous] = vector.secrets;
  const secrets: SigningSecrets = previous === undefined ? [newest] : [newest, previous];
  const now = wholeSecond(Date.parse(vector.now));
  const messageId = vector.headers['webhook-id'];
  expect(signWebhook({ secrets, messageId, body: vector.body, now })).toEqual(vector.headers);
});

test.each(vectors.valid)('accepts both signatures: $name', (vector) => {
  expect(verify(vector)).toEqual({ standard: true, request: true });
});

test.each(vectors.valid)('a receiver that knows one secret accepts: $name', (vector) => {
  for (const secret of vector.secrets) {
    expect(verify({ ...vector, secrets: [secret] })).toEqual({ standard: true, request: true });
  }
});

test.each(vectors.refused)('does not accept both signatures: $name', (vector) => {
  const { standard, request } = verify(vector);
  expect(standard && request).toBe(false);
});

const secret = fc.uint8Array({ minLength: 24, maxLength: 64 }).map(toSecret);
const messageId = fc.stringMatching(/^msg_[\w-]{1,40}$/);

test('the official Standard Webhooks package accepts whatever is signed, by either secret of a rotation', () => {
  const now = wholeSecond(Date.now());
  fc.assert(
    fc.property(secret, secret, messageId, fc.json(), (newest, previous, id, body) => {
      const headers = signWebhook({ secrets: [newest, previous], messageId: id, body, now });
      for (const each of [newest, previous]) {
        // Lone surrogates never get here (the API refuses them): in UTF-8 they would be U+FFFD on both sides.
        expect(() => new Webhook(each).verify(body, { ...headers })).not.toThrow();
      }
    }),
    { numRuns: 50 },
  );
});

test('text and bytes of a body have the same signature', () => {
  const now = wholeSecond(0);
  const body = '{"name":"Café 🌶️"}';
  const secrets = [generateSecret()] as const;
  const headers = signWebhook({ secrets, messageId: 'msg_1', body, now });
  const signature = headers['x-signature-request'];
  expect(verifyRequestSignature({ secrets, now, signature, body })).toBe(true);
  expect(verifyRequestSignature({ secrets, now, signature, body: Buffer.from(body) })).toBe(true);
});

test.each(['a.b', '', 'with blank', 'line\nbreak', `{"a":1}`, 'ñ'])(
  'a message id that could be read in two ways, or split a header, is not signed: %j',
  (id) => {
    const message = { secrets: [generateSecret()], messageId: id, body: '{}' } as const;
    expect(() => signWebhook({ ...message, now: wholeSecond(0) })).toThrow('not well-formed');
  },
);

test('new secrets are accepted, differ, and have 32 bytes', () => {
  const made = generateSecret();
  expect(isSecret(made)).toBe(true);
  expect(generateSecret()).not.toBe(made);
  expect(Buffer.from(made.slice(6), 'base64')).toHaveLength(32);
});

test.each([
  ['no prefix', 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
  ['23 bytes', toSecret(new Uint8Array(23))],
  ['65 bytes', toSecret(new Uint8Array(65))],
  ['not base64', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLa!w'],
  ['base64url', 'whsec___________________________________________8'],
  ['a line end', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\n'],
  ['nothing', ''],
])('a secret that is not well-formed is refused without being repeated: %s', (_, malformed) => {
  expect(isSecret(malformed)).toBe(false);
  const message = { secrets: [malformed] as const, messageId: 'msg_1', body: '{}' };
  const sign = (): unknown => signWebhook({ ...message, now: wholeSecond(0) });
  expect(sign).toThrow(new Error('a signing secret is not well-formed'));
});

test('hostile signature headers are refused without an exception', () => {
  fc.assert(
    fc.property(fc.string(), (signature) => {
      const secrets = [toSecret(new Uint8Array(32))];
      const now: WholeSecond = wholeSecond(0);
      const standard = { secrets, messageId: 'msg_1', timestamp: '0', signature, body: '{}' };
      expect(verifyStandardSignature(standard)).toBe(false);
      expect(verifyRequestSignature({ secrets, now, signature, body: '{}' })).toBe(false);
    }),
  );
});

function toSecret(key: Uint8Array): string {
  return `whsec_${Buffer.from(key).toString('base64')}`;
}

test('during a rotation the signature of either secret alone is enough', () => {
  const [ours, other] = [generateSecret(), generateSecret()];
  const now = wholeSecond(Date.parse('2026-01-01T10:00:00Z'));
  const headers = signWebhook({ secrets: [ours], messageId: 'msg_1', body: '{}', now });
  const standard = (...secrets: string[]) =>
    verifyStandardSignature({
      secrets,
      messageId: 'msg_1',
      timestamp: headers['webhook-timestamp'],
      signature: headers['webhook-signature'],
      body: '{}',
    });
  const request = (...secrets: string[]) =>
    verifyRequestSignature({
      secrets,
      now,
      signature: headers['x-signature-request'],
      body: '{}',
    });
  for (const verifies of [standard, request]) {
    expect([verifies(ours, other), verifies(other, ours), verifies(ours)]).toEqual([
      true,
      true,
      true,
    ]);
    expect([verifies(other), verifies()]).toEqual([false, false]);
  }
});
