import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { RouteContract } from '../../../src/http/route';
import type { WorldIds } from '../../api-contract/world';
import { declaredRequest } from '../declared-request';
import { mutatedBody } from './mutated-body';
import { nastyText } from './nasty-values';
import type { Random } from './random';
import { edgeText } from './schema-values';

/** What requests are made of. */
export interface FuzzMaterial {
  readonly ids: WorldIds;
  /** Of users of every kind; good ones are there several times. */
  readonly tokens: readonly string[];
  /** Of the integration that callbacks are about. */
  readonly callback: { readonly integrationId: number; readonly secret: string };
}

export interface FuzzRequest {
  readonly route: RouteContract;
  readonly method: string;
  /** As it goes over the wire. */
  readonly bytes: Buffer;
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** A request to the route, made from its declaration: right in most parts, and wrong in some. */
export function fuzzRequest(
  random: Random,
  route: RouteContract,
  material: FuzzMaterial,
): FuzzRequest {
  const right = declaredRequest(route, material.ids);
  const method = random.once(40) ? random.pick(METHODS) : right.method;
  const body = bodyOf(random, route, right.body);
  const packed = body && random.once(12) ? gzipSync(body) : undefined;
  const sent = packed ?? body;
  const isChunked = sent !== undefined && random.once(15);
  const path = pathOf(random, route, right.path, material) + queryOf(random, route);
  const headers = [
    'Host: fuzz',
    ...authorization(random, route, material, body),
    ...contentHeaders(random, sent, packed !== undefined, isChunked),
    ...otherHeaders(random, route),
  ];
  const head = `${method} ${path} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`;
  return {
    route,
    method,
    bytes: Buffer.concat([
      Buffer.from(head, 'latin1'),
      sent ? framed(random, sent, isChunked) : Buffer.alloc(0),
    ]),
  };
}

function bodyOf(
  random: Random,
  route: RouteContract,
  right: string | undefined,
): Buffer | undefined {
  const { body } = route;
  switch (body.kind) {
    case 'none':
    case 'empty':
      return random.once(10) ? Buffer.from(random.pick(['{}', '', 'x', '[]'])) : undefined;
    case 'form':
      return Buffer.from(`token=${encoded(nastyText(random))}&form_token=${random.below(10)}`);
    case 'signed':
      return mutatedBody(random, body.example as object, {});
    case 'json': {
      const properties = (body.schema as { properties?: Record<string, object> }).properties ?? {};
      return mutatedBody(random, JSON.parse(right ?? '{}') as object, properties);
    }
  }
}

function pathOf(
  random: Random,
  route: RouteContract,
  right: string,
  material: FuzzMaterial,
): string {
  const path = right.replace(
    /^(\/callbacks\/[\w-]+\/)\w+$/,
    `$1${material.callback.integrationId}`,
  );
  if (Object.keys(route.parameters).length === 0 || !random.once(4)) return path;
  return route.path.replaceAll(/\{\w+\}/g, () =>
    random.once(3) ? String(random.below(20)) : encoded(nastyText(random)).slice(0, 300),
  );
}

function queryOf(random: Random, { query }: RouteContract): string {
  const properties =
    (query.schema as { properties?: Record<string, object> } | null)?.properties ?? {};
  const names = Object.keys(properties);
  if (names.length === 0) return random.once(30) ? `?${encoded(nastyText(random))}` : '';
  const count = random.below(4);
  const pairs = Array.from({ length: count }, () => {
    const name = random.pick(names);
    const text = edgeText(random, properties[name] ?? {}).slice(0, 2_000);
    return random.once(20) ? `${name}=%zz%ff` : `${name}=${encoded(text)}`;
  });
  return count === 0 ? '' : `?${pairs.join('&')}`;
}

/** For a path or a query; a lone half of a character, which has no encoding, becomes a question mark. */
function encoded(text: string): string {
  return encodeURIComponent(Buffer.from(text).toString());
}

function authorization(
  random: Random,
  { access }: RouteContract,
  { tokens, callback }: FuzzMaterial,
  body: Buffer | undefined,
): string[] {
  switch (access.kind) {
    case 'public':
    case 'session':
      return [];
    case 'token':
      return random.once(30) ? [] : [`Authorization: Bearer ${random.pick(tokens)}`];
    case 'signature': {
      const signed = createHash('md5')
        .update(body ?? '')
        .update(callback.secret)
        .digest('hex');
      return [`${access.header}: ${random.once(5) ? headerText(random) : signed}`];
    }
  }
}

function contentHeaders(
  random: Random,
  sent: Buffer | undefined,
  isPacked: boolean,
  isChunked: boolean,
): string[] {
  if (!sent) return [];
  const type = random.once(25) ? headerText(random) : 'application/json';
  return [
    `Content-Type: ${type}`,
    isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${sent.length}`,
    ...(isPacked ? ['Content-Encoding: gzip'] : []),
    ...(random.once(60)
      ? [`Content-Encoding: ${random.pick(['gzip', 'br', 'gzip, gzip', '\u00a0'])}`]
      : []),
  ];
}

const HEADERS = [
  'Accept',
  'Prefer',
  'X-Request-Id',
  'X-Forwarded-For',
  'If-None-Match',
  'Range',
  'Cookie',
  'Origin',
  'Expect-CT',
];

function otherHeaders(random: Random, { idempotency }: RouteContract): string[] {
  const headers: string[] = [];
  // Few keys, so that requests meet each other's.
  if (idempotency === 'kept' && random.once(3))
    headers.push(`Idempotency-Key: ${random.below(500)}`);
  if (random.once(40)) headers.push(`Idempotency-Key: ${headerText(random)}`);
  if (random.once(8)) headers.push('Accept: application/problem+json');
  if (random.once(5)) headers.push('Prefer: respond-async');
  if (random.once(10)) headers.push(`${random.pick(HEADERS)}: ${headerText(random)}`);
  // The parser refuses what is not a header at all.
  if (random.once(200))
    headers.push(
      random
        .bytes(5)
        .toString('latin1')
        .replaceAll(/[\r\n]/g, ''),
    );
  return headers;
}

/** Bytes that a header may have, most of the time; never the end of a line, which would be another request. */
function headerText(random: Random): string {
  const text = random.once(2)
    ? nastyText(random)
    : random.bytes(random.below(30)).toString('latin1');
  const bytes = Buffer.from(text).toString('latin1').slice(0, 1_000);
  return random.once(10)
    ? bytes.replaceAll(/[\r\n]/g, '')
    : bytes.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '');
}

function framed(random: Random, sent: Buffer, isChunked: boolean): Buffer {
  if (!isChunked) return sent;
  const parts: Buffer[] = [];
  for (let at = 0; at < sent.length;) {
    const size = Math.min(1 + random.below(sent.length), sent.length - at);
    parts.push(
      Buffer.from(`${size.toString(16)}\r\n`),
      sent.subarray(at, at + size),
      Buffer.from('\r\n'),
    );
    at += size;
  }
  return Buffer.concat([...parts, Buffer.from('0\r\n\r\n')]);
}
