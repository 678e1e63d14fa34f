import {
  generateKeyPairSync,
  type KeyObject,
  type KeyPairKeyObjectResult,
  sign,
} from 'node:crypto';

export interface SelfSignedCertificate {
  /** Both PEM. */
  readonly key: string;
  readonly cert: string;
}

/**
 * Makes a certificate for 127.0.0.1 and `localhost`, valid between two dates.
 * Written as DER by hand, so that tests need neither a program that may be missing nor a checked-in key.
 */
export function selfSignedCertificate(notBefore: Date, notAfter: Date): SelfSignedCertificate {
  const pair = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  return certificate({
    notBefore,
    notAfter,
    pair,
    signedBy: 'localhost',
    signingKey: pair.privateKey,
  });
}

/** The same, signed by somebody whose own certificate is nowhere. */
export function strangersCertificate(notBefore: Date, notAfter: Date): SelfSignedCertificate {
  const [pair, stranger] = [1, 2].map(() =>
    generateKeyPairSync('ec', { namedCurve: 'prime256v1' }),
  );
  if (!pair || !stranger) throw new Error('no keys');
  const signingKey = stranger.privateKey;
  return certificate({ notBefore, notAfter, pair, signedBy: 'Intermediate', signingKey });
}

interface CertificateParts {
  readonly notBefore: Date;
  readonly notAfter: Date;
  readonly pair: KeyPairKeyObjectResult;
  /** Common name. */
  readonly signedBy: string;
  readonly signingKey: KeyObject;
}

function certificate(parts: CertificateParts): SelfSignedCertificate {
  const { notBefore, notAfter, signedBy, signingKey } = parts;
  const { publicKey, privateKey } = parts.pair;
  const alternativeNames = sequence(
    tlv(0x82, Buffer.from('localhost')),
    tlv(0x87, Buffer.from([127, 0, 0, 1])),
  );
  const toBeSigned = sequence(
    tlv(0xa0, integer(2)),
    integer(1),
    ECDSA_WITH_SHA256,
    nameOf(signedBy),
    sequence(time(notBefore), time(notAfter)),
    nameOf('localhost'),
    publicKey.export({ type: 'spki', format: 'der' }),
    tlv(0xa3, sequence(sequence(oid('551d11'), tlv(0x04, alternativeNames)))),
  );
  const signature = sign('sha256', toBeSigned, signingKey);
  const signed = sequence(toBeSigned, ECDSA_WITH_SHA256, tlv(0x03, Buffer.from([0]), signature));
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${signed.toString('base64')}\n-----END CERTIFICATE-----\n`,
  };
}

function nameOf(commonName: string): Buffer {
  return sequence(set(sequence(oid('550403'), tlv(0x0c, Buffer.from(commonName)))));
}

const ECDSA_WITH_SHA256 = sequence(oid('2a8648ce3d040302'));

function tlv(tag: number, ...parts: readonly Buffer[]): Buffer {
  const value = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag, ...lengthOf(value)]), value]);
}

/** In as few bytes as it takes: strict readers refuse any other. */
function lengthOf({ length }: Buffer): number[] {
  if (length < 128) return [length];
  if (length < 256) return [0x81, length];
  return [0x82, Math.floor(length / 256), length % 256];
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return tlv(0x30, ...parts);
}

function set(...parts: readonly Buffer[]): Buffer {
  return tlv(0x31, ...parts);
}

function integer(value: number): Buffer {
  return tlv(0x02, Buffer.from([value]));
}

function oid(hex: string): Buffer {
  return tlv(0x06, Buffer.from(hex, 'hex'));
}

/** GeneralizedTime, whole seconds. */
function time(date: Date): Buffer {
  return tlv(0x18, Buffer.from(`${date.toISOString().replace(/[-:T]|\..*/g, '')}Z`));
}
