import { randomBytes } from 'node:crypto';
import { inspect } from 'node:util';
import { createSecretBox, SecretError, toEncryptionKey } from '../../src/platform/crypto/secrets';

const current = toEncryptionKey(randomBytes(32));
const previous = toEncryptionKey(randomBytes(32));
const box = createSecretBox([current]);
const CONTEXT = 'subscription/secret/sub_1';

function codeOf(run: () => unknown): string | undefined {
  try {
    run();
  } catch (error) {
    if (error instanceof SecretError) return error.code;
    throw error;
  }
  return undefined;
}

test.each(['', 'whsec_abc', 'clé 🔑', 'x'.repeat(100_000)])(
  'what was sealed opens again',
  (text) => {
    expect(box.decrypt(box.encrypt(text, CONTEXT), CONTEXT)).toBe(text);
  },
);

test('the same secret sealed twice shows no likeness', () => {
  expect(box.encrypt('same', CONTEXT).equals(box.encrypt('same', CONTEXT))).toBe(false);
});

test('a sealed secret that was copied to another row does not open', () => {
  const sealed = box.encrypt('secret', CONTEXT);
  expect(codeOf(() => box.decrypt(sealed, 'subscription/secret/sub_2'))).toBe('tampered');
});

test('every changed or missing byte is detected', () => {
  const sealed = box.encrypt('secret', CONTEXT);
  for (let index = 0; index < sealed.length; index += 1) {
    const changed = Buffer.from(sealed);
    changed.writeUInt8(changed.readUInt8(index) ^ 1, index);
    expect(codeOf(() => box.decrypt(changed, CONTEXT))).toMatch(/malformed|wrong_key|tampered/);
    const cut = sealed.subarray(0, index);
    expect(codeOf(() => box.decrypt(cut, CONTEXT))).toMatch(/malformed|tampered/);
  }
});

test('during a rotation old secrets open, and report that they must be sealed again', () => {
  const old = createSecretBox([previous]).encrypt('secret', CONTEXT);
  const rotating = createSecretBox([current, previous]);
  expect(rotating.decrypt(old, CONTEXT)).toBe('secret');
  expect(rotating.needsReencryption(old)).toBe(true);
  const renewed = rotating.encrypt('secret', CONTEXT);
  expect(rotating.needsReencryption(renewed)).toBe(false);
  expect(box.decrypt(renewed, CONTEXT)).toBe('secret');
});

test('a secret of a key that is not configured says so, with the place and the key id', () => {
  const foreign = createSecretBox([previous]).encrypt('secret', CONTEXT);
  expect(codeOf(() => box.decrypt(foreign, CONTEXT))).toBe('wrong_key');
  expect(() => box.decrypt(foreign, CONTEXT)).toThrow(`(${CONTEXT}, key ${previous.id})`);
});

test.each([
  ['too short', randomBytes(31).toString('base64')],
  ['too long', randomBytes(33).toString('base64')],
  ['not base64', `${randomBytes(32).toString('base64').slice(0, -2)}!=`],
  ['hex', randomBytes(32).toString('hex')],
  ['empty', ''],
])('an encryption key that is %s is refused without being repeated', (_, material) => {
  expect(() => toEncryptionKey(material)).toThrow(new SecretError('invalid_key').message);
});

test('the bytes of a key and their base64 are the same key', () => {
  const bytes = randomBytes(32);
  expect(toEncryptionKey(`${bytes.toString('base64')}\n`).id).toBe(toEncryptionKey(bytes).id);
});

test('a logged key reveals nothing', () => {
  const bytes = randomBytes(32);
  const key = toEncryptionKey(bytes);
  const shown = inspect(key, { depth: 9 }) + JSON.stringify(key);
  for (const form of ['hex', 'base64', 'latin1'] as const) {
    expect(shown).not.toContain(bytes.toString(form).slice(0, 8));
  }
});

test('a signature is one of its text and its context, by either key, and the same each time', () => {
  const signature = box.sign('text', 'one');
  expect(box.sign('text', 'one')).toBe(signature);
  expect(box.isSigned('text', signature, 'one')).toBe(true);
  for (const [text, given, context] of [
    ['other', signature, 'one'],
    ['text', signature, 'two'],
    ['text', '', 'one'],
    ['text', signature.slice(1), 'one'],
  ] as const) {
    expect([text, given, context, box.isSigned(text, given, context)]).toEqual([
      text,
      given,
      context,
      false,
    ]);
  }
  const old = createSecretBox([previous]).sign('text', 'one');
  expect(box.isSigned('text', old, 'one')).toBe(false);
  expect(createSecretBox([current, previous]).isSigned('text', old, 'one')).toBe(true);
});
