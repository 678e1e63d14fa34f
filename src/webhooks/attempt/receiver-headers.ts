import { asciiLower } from '../../platform/text/ascii-case';

/** Headers configured for a receiver, with their names as given. */
export type ReceiverHeaders = Readonly<Record<string, string>>;

const MOST = 10;
/** A token of RFC 9110. */
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,255}$/;
const VALUE = /^[\x20-\x7e]{1,1000}$/;

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

/** The headers in a request's object; undefined if one of them may not be set or there are too many. */
export function readReceiverHeaders(given: object): ReceiverHeaders | undefined {
  const entries = Object.entries(given);
  const names = new Set(entries.map(([name]) => asciiLower(name)));
  if (entries.length > MOST || names.size < entries.length) return undefined;
  const wrong = entries.some(
    ([name, value]) => !isFree(name) || typeof value !== 'string' || !VALUE.test(value),
  );
  return wrong ? undefined : Object.fromEntries(entries);
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
  if (!NAME.test(name) || RESERVED.has(lower)) return false;
  return !RESERVED_PREFIXES.some((prefix) => lower.startsWith(prefix));
}
