import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';

/*
 * A sealed secret: version (1 byte) | key id (4) | iv (12) | tag (16) | ciphertext, AES-256-GCM.
 * A random iv of 96 bits is good for 2^32 secrets per key (NIST SP 800-38D §8.3); we seal some thousands.
 */
const VERSION = 1;
const KEY_BYTES = 32;
const KEY_ID_BYTES = 4;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES = 1 + KEY_ID_BYTES;
const MIN_BYTES = HEAD_BYTES + IV_BYTES + TAG_BYTES;

export interface EncryptionKey {
  /** Eight hex digits derived from the key: a sealed secret names its key without revealing anything about it. */
  readonly id: string;
  /** A KeyObject rather than bytes, because logging it shows nothing. */
  readonly key: KeyObject;
}

/** `wrong_key`: sealed with a key that is not configured. `tampered`: modified, or from another row or column. */
export type SecretErrorCode = 'invalid_key' | 'malformed' | 'wrong_key' | 'tampered';

const SENTENCES: Readonly<Record<SecretErrorCode, string>> = {
  invalid_key: 'an encryption key must be base64 of exactly 32 bytes',
  malformed: 'a stored secret is not in a format that this version knows',
  wrong_key:
    'a stored secret was encrypted with a key that is neither ENCRYPTION_KEY nor ENCRYPTION_KEY_PREVIOUS',
  tampered: 'a stored secret was changed, or belongs to another row or column',
};

/** Never holds a key, a plaintext or a ciphertext; `context` and key id tell an operator where to look. */
export class SecretError extends Error {
  override readonly name = 'SecretError';
  readonly code: SecretErrorCode;

  constructor(code: SecretErrorCode, where = '') {
    super(SENTENCES[code] + where);
    this.code = code;
  }
}

export interface SecretBox {
  /** `context` names where the result is stored (table/column/row id); it can be decrypted only with the same one. */
  encrypt(plaintext: string, context: string): Buffer;
  /** Throws a `SecretError`. */
  decrypt(sealed: Buffer, context: string): string;
  /** A signature of `text`, base64url: the same each time, by a key that only this `context` has. */
  sign(text: string, context: string): string;
  /** Whether `signature` is one of `text` in this `context`, with any of the keys; compared in constant time. */
  isSigned(text: string, signature: string, context: string): boolean;
  /** Whether it was sealed with a key other than the first one, so a rotation must still seal it again. */
  needsReencryption(sealed: Buffer): boolean;
}

/** Accepts the 32 bytes, or their base64 as in ENCRYPTION_KEY. Throws a `SecretError`. */
export function toEncryptionKey(material: Buffer | string): EncryptionKey {
  const bytes = typeof material === 'string' ? decodeBase64(material.trim()) : material;
  if (bytes.length !== KEY_BYTES) throw new SecretError('invalid_key');
  // A MAC under the key rather than a hash of it, so that storing the id does not weaken a poor key.
  const id = createHmac('sha256', bytes).update('encryption key id').digest('hex');
  return { id: id.slice(0, 2 * KEY_ID_BYTES), key: createSecretKey(bytes) };
}

/** Encrypts with the first key and decrypts with any; the second is the previous key, during a rotation. */
export function createSecretBox(
  keys: readonly [current: EncryptionKey, ...previous: EncryptionKey[]],
): SecretBox {
  const [current] = keys;
  const keyOf = (sealed: Buffer, context?: string): EncryptionKey => {
    const id = keyIdOf(sealed, context);
    const key = keys.find((each) => each.id === id);
    if (key === undefined) throw new SecretError('wrong_key', at(context, id));
    return key;
  };
  return {
    encrypt: (plaintext, context) => seal(current, plaintext, context),
    decrypt: (sealed, context) => open(keyOf(sealed, context), sealed, context),
    sign: (text, context) => signatureOf(current, text, context).toString('base64url'),
    isSigned: (text, signature, context) =>
      keys.some((key) => isEqual(signatureOf(key, text, context), signature)),
    needsReencryption: (sealed) => keyIdOf(sealed) !== current.id,
  };
}

function seal({ id, key }: EncryptionKey, plaintext: string, context: string): Buffer {
  const head = Buffer.concat([Buffer.from([VERSION]), Buffer.from(id, 'hex')]);
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES });
  cipher.setAAD(associatedData(head, context));
  const ciphertext = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()]);
  return Buffer.concat([head, iv, cipher.getAuthTag(), ciphertext]);
}

function open({ id, key }: EncryptionKey, sealed: Buffer, context: string): string {
  const tagStart = HEAD_BYTES + IV_BYTES;
  const iv = sealed.subarray(HEAD_BYTES, tagStart);
  // Without the explicit length Node takes tags of 4 bytes, which can be guessed.
  const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES });
  decipher.setAAD(associatedData(sealed.subarray(0, HEAD_BYTES), context));
  decipher.setAuthTag(sealed.subarray(tagStart, MIN_BYTES));
  try {
    return decipher.update(sealed.subarray(MIN_BYTES), undefined, 'utf8') + decipher.final('utf8');
  } catch {
    throw new SecretError('tampered', at(context, id));
  }
}

/** By a key that is derived for the context, so that a signature of one is never one of another. */
function signatureOf({ key }: EncryptionKey, text: string, context: string): Buffer {
  const derived = createHmac('sha256', key).update(`sign ${context}`).digest();
  return createHmac('sha256', derived).update(text).digest();
}

function isEqual(expected: Buffer, signature: string): boolean {
  const given = Buffer.from(signature, 'base64url');
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function associatedData(head: Buffer, context: string): Buffer {
  return Buffer.concat([head, Buffer.from(context, 'utf8')]);
}

function keyIdOf(sealed: Buffer, context?: string): string {
  if (sealed.length < MIN_BYTES || sealed[0] !== VERSION) {
    throw new SecretError('malformed', at(context));
  }
  return sealed.toString('hex', 1, HEAD_BYTES);
}

function at(context?: string, keyId?: string): string {
  const parts = [context, keyId && `key ${keyId}`].filter(Boolean);
  return parts.length > 0 ? ` (${parts.join(', ')})` : '';
}

function decodeBase64(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64');
  // Node skips characters that are not base64, which would turn a mistyped key into another key.
  return bytes.toString('base64') === text ? bytes : Buffer.alloc(0);
}
