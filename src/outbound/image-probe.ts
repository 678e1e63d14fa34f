import type { ImageFormat, ImageRules } from '../delivery-apps/app-a/image-rules';
import type { ImageVerdict } from '../delivery-apps/types';
import { imageFormat, imageSize } from './image-head';
import type { OutboundClient, OutboundErrorCode, OutboundResult, ResponseHead } from './types';

/** What a server says about the version of a file, for asking later whether it changed. */
export interface ImageValidators {
  readonly etag?: string;
  readonly lastModified?: string;
}

export type ImageProbe =
  | {
      readonly kind: 'ok';
      readonly format: ImageFormat;
      readonly width: number;
      readonly height: number;
      readonly bytes: number;
      readonly validators: ImageValidators;
    }
  | {
      readonly kind: 'bad';
      readonly verdict: ImageVerdict;
      readonly validators: ImageValidators;
    }
  /** Only when validators were sent along: the file is the one that was judged before. */
  | { readonly kind: 'unchanged' }
  /** Nobody knows: the server could not be reached or was not well. Asking again later may help. */
  | { readonly kind: 'unreachable'; readonly reason: string };

// Dimensions stand in the first bytes of a PNG or GIF; in a JPEG they may follow a colour profile and a thumbnail.
const HEAD_BYTES = 1_048_576;

const TIMEOUT_MS = 10_000;

/**
 * Judges an image by the head of its file and its total size, without loading the rest. Only a server that does not say how long
 * the file is makes us read on, up to the size at which the file is too large. `known`: what the server said of the file last
 * time; a server that keeps to HTTP then answers only whether it changed.
 */
export async function probeImage(
  client: OutboundClient,
  url: string,
  rules: ImageRules,
  known: ImageValidators = {},
): Promise<ImageProbe> {
  if (rules.https && !/^https:/i.test(url)) return bad('not_https', {});
  const ranged = await fetchImage(client, url, rules, {
    range: `bytes=0-${HEAD_BYTES - 1}`,
    ...conditions(known),
  });
  if (ranged.kind === 'response' && ranged.status === 304 && isKnown(known)) {
    return { kind: 'unchanged' };
  }
  // A part of unknown whole: only the whole can tell.
  if (ranged.kind === 'response' && ranged.status === 206 && totalBytes(ranged) === undefined)
    return judge(await fetchImage(client, url, rules, {}), rules);
  return judge(ranged, rules);
}

function isKnown({ etag, lastModified }: ImageValidators): boolean {
  return etag !== undefined || lastModified !== undefined;
}

/** The entity tag alone where there is one: it tells more than a time of whole seconds. */
function conditions({ etag, lastModified }: ImageValidators): Record<string, string> {
  if (etag !== undefined) return { 'if-none-match': etag };
  return lastModified === undefined ? {} : { 'if-modified-since': lastModified };
}

function fetchImage(
  client: OutboundClient,
  url: string,
  rules: ImageRules,
  headers: Readonly<Record<string, string>>,
): Promise<OutboundResult> {
  return client.request({
    method: 'GET',
    url,
    headers: { accept: 'image/*', ...headers },
    timeoutMs: TIMEOUT_MS,
    maxResponseBytes: rules.maxBytes,
    stopWhen: (head, response) => isEnough(head, response, rules),
  });
}

function isEnough(head: Buffer, response: ResponseHead, rules: ImageRules): boolean {
  if (response.status !== 200 && response.status !== 206) return true;
  const total = totalBytes(response);
  if (total === undefined) return head.length >= rules.maxBytes;
  return total >= rules.maxBytes || head.length >= HEAD_BYTES || imageSize(head) !== null;
}

function judge(result: OutboundResult, rules: ImageRules): ImageProbe {
  if (result.kind === 'response')
    return isPassing(result.status)
      ? { kind: 'unreachable', reason: `status ${result.status}` }
      : judgeFile(result, rules);
  return isFinal(result.code)
    ? bad('unreadable', {})
    : { kind: 'unreachable', reason: result.message };
}

function judgeFile(
  result: Extract<OutboundResult, { kind: 'response' }>,
  rules: ImageRules,
): ImageProbe {
  const validators = validatorsOf(result);
  if (result.status !== 200 && result.status !== 206) return bad('unreadable', validators);
  const bytes = totalBytes(result) ?? result.body.length;
  if (bytes >= rules.maxBytes) return bad('too_large', validators);
  if (bytes === 0) return bad('unreadable', validators);
  const format = imageFormat(result.body);
  if (format === null || !rules.formats.includes(format)) return bad('wrong_format', validators);
  const size = imageSize(result.body);
  if (size === null) return bad('unreadable', validators);
  const { width, height } = size;
  if (Math.min(width, height) < rules.minSide || Math.max(width, height) > rules.maxSide)
    return bad('wrong_size', validators);
  return { kind: 'ok', format, width, height, bytes, validators };
}

function bad(verdict: ImageVerdict, validators: ImageValidators): ImageProbe {
  return { kind: 'bad', verdict, validators };
}

function isPassing(status: number): boolean {
  return status >= 500 || status === 408 || status === 425 || status === 429;
}

/** Failures that no later attempt cures. A name that does not resolve is not among them. */
function isFinal(code: OutboundErrorCode): boolean {
  return (
    code === 'address_not_allowed' ||
    code === 'invalid_request' ||
    code === 'invalid_response' ||
    code === 'headers_too_large'
  );
}

/** Size of the whole file as the server tells it, bytes. */
function totalBytes({ status, headers }: ResponseHead): number | undefined {
  const text =
    status === 206
      ? /\/(\d+)$/.exec(headers['content-range'] ?? '')?.[1]
      : headers['content-length'];
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined;
}

function validatorsOf({ headers }: ResponseHead): ImageValidators {
  const { etag, 'last-modified': lastModified } = headers;
  return {
    ...(etag === undefined ? {} : { etag }),
    ...(lastModified === undefined ? {} : { lastModified }),
  };
}
