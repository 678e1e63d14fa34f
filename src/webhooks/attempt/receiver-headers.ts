import { asciiLower } from '../../platform/text/ascii-case';
import { firstOddCharacter } from '../../platform/text/first-odd-character';

/** Headers configured for a receiver, with their names as given. */
export type ReceiverHeaders = Readonly<Record<string, string>>;

const MOST = 10;
const LONGEST_NAME = 255;
const LONGEST_VALUE = 1_000;
/** No part of a token of RFC 9110. */
const ODD_IN_NAME = /[^!#$%&'*+.^_`|~0-9A-Za-z-]/gu;
const ODD_IN_VALUE = /[^\x20-\x7e]/gu;

/**
 * Headers that only we may set: hop-by-hop ones (RFC 9110 and older usage), those for the address and the body, and
 * signatures. `expect` and `accept-encoding` belong to the connection too: we wait for one answer only and never
 * inflate it.
 */
const RESERVED = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'trailers',
  'transfer-encoding',
  'upgrade',
  'host',
  'user-agent',
  'x-signature-request',
  'expect',
  'accept-encoding',
]);
const RESERVED_PREFIXES = ['content-', 'webhook-'];

export type ReceiverHeadersRead =
  | { readonly ok: true; readonly headers: ReceiverHeaders }
  /** `hint`: what is wrong with which header, in a sentence without its value. */
  | { readonly ok: false; readonly hint: string };

/** The headers in a request's object, unless one of them may not be set or there are too many. */
export function readReceiverHeaders(given: object): ReceiverHeadersRead {
  const entries = Object.entries(given);
  if (entries.length > MOST) return { ok: false, hint: `There are more than ${MOST} headers.` };
  const names = new Set<string>();
  for (const [name, value] of entries) {
    const hint = whyNotNamed(name, names) ?? whyNotValued(name, value);
    if (hint !== null) return { ok: false, hint };
    names.add(asciiLower(name));
  }
  return { ok: true, headers: Object.fromEntries(entries) };
}

function whyNotNamed(name: string, names: ReadonlySet<string>): string | null {
  if (name === '') return 'A header has no name.';
  if (name.length > LONGEST_NAME)
    return `A header has a name of more than ${LONGEST_NAME} characters.`;
  const odd = firstOddCharacter(name, ODD_IN_NAME);
  if (odd !== null) return `The name of the header ${shown(name)} has a wrong character: ${odd}.`;
  if (!isFree(name)) return `The header ${name} is the service's own.`;
  return names.has(asciiLower(name)) ? `The header ${name} is there twice.` : null;
}

function whyNotValued(name: string, value: unknown): string | null {
  if (typeof value !== 'string') return `The value of the header ${name} must be a string.`;
  if (value === '') return `The value of the header ${name} is empty.`;
  if (value.length > LONGEST_VALUE) {
    return `The value of the header ${name} has more than ${LONGEST_VALUE} characters.`;
  }
  const odd = firstOddCharacter(value, ODD_IN_VALUE);
  return (
    odd && `The value of the header ${name} has a character that is not printable ASCII: ${odd}.`
  );
}

/** The part of a name before its wrong character, which may be invisible. */
function shown(name: string): string {
  const [begin = ''] = name.split(ODD_IN_NAME);
  return `"${begin}…"`;
}

/** A shorter value, such as `true`, is no secret, and would be blacked out wherever an answer has these letters. */
const SHORTEST_VALUE = 8;
/** What follows a scheme is nothing but a secret. */
const SHORTEST_CREDENTIALS = 4;
/** As in `Bearer …`: an answer may name the second word alone. */
const TWO_WORDS = /^([\w-]+) +(\S+)$/;
const SCHEMES = new Set(['apikey', 'basic', 'bearer', 'digest', 'key', 'token']);
const AUTHORIZATION = /authorization$/;

/** A shorter user name, such as `admin`, is no secret; with some receivers the name is the key. */
const SHORTEST_USER = 6;

/** What of these headers may not be shown. */
export function secretsOf(headers: ReceiverHeaders): readonly string[] {
  return Object.entries(headers).flatMap(([name, value]) => {
    const [, first = '', second = ''] = TWO_WORDS.exec(value) ?? [];
    const scheme = asciiLower(first);
    const isScheme = SCHEMES.has(scheme) || AUTHORIZATION.test(asciiLower(name));
    const shortest = isScheme ? SHORTEST_CREDENTIALS : SHORTEST_VALUE;
    return [
      ...(value.length >= SHORTEST_VALUE ? [value] : []),
      ...(second.length >= shortest ? [second] : []),
      ...(scheme === 'basic' ? basicSecrets(second) : []),
    ];
  });
}

/** User name and password of a Basic credential (RFC 7617). */
function basicSecrets(credential: string): readonly string[] {
  const [, user = '', password = ''] =
    /^([^:]*):(.*)$/s.exec(Buffer.from(credential, 'base64').toString('utf8')) ?? [];
  return [
    ...(password.length >= SHORTEST_CREDENTIALS ? [password] : []),
    ...(user.length >= SHORTEST_USER ? [user] : []),
  ];
}

function isFree(name: string): boolean {
  const lower = asciiLower(name);
  if (RESERVED.has(lower)) return false;
  return !RESERVED_PREFIXES.some((prefix) => lower.startsWith(prefix));
}
