import type { ImageFormat, ImageRules } from '../app-a/image-rules';
import type { ImageVerdict } from '../types';
import { imageFormat, imageSize } from './image-head';
import type {
  OutboundClient,
  OutboundErrorCode,
  OutboundResult,
  OutboundTrouble,
  ResponseHead,
} from '../../platform/outbound/types';

export type ImageProbe =
  | {
      readonly kind: 'ok';
      readonly format: ImageFormat;
      readonly width: number;
      readonly height: number;
      /** Size of the whole file. */
      readonly bytes: number;
    }
  | { readonly kind: 'bad'; readonly verdict: ImageVerdict }
  /** Unknown: the server could not be reached or failed. A retry may help. */
  | { readonly kind: 'unreachable'; readonly reason: string }
  /** The same, after most of the time for one image. */
  | { readonly kind: 'late' }
  /** `signal` fired, or trouble of our own kept us from asking: nothing is known of the image. */
  | { readonly kind: 'unasked' };

// The dimensions are in the first bytes of a PNG or GIF; in a JPEG they follow a thumbnail or a colour profile, which
// are small in menu pictures. An image whose head is longer is not judged, because an image must not cost more than
// its menu.
const HEAD_BYTES = 65_536;

const TIMEOUT_MS = 10_000;

/**
 * Judges an image by the first 64 KB of its file and its total size, without loading the rest. A longer file whose
 * size or dimensions are not known in time is `not_checked`.
 */
export async function probeImage(
  client: OutboundClient,
  url: string,
  rules: ImageRules,
  signal?: AbortSignal,
): Promise<ImageProbe> {
  if (rules.https && !/^https:/i.test(url)) return bad('not_https');
  const result = await client.request({
    method: 'GET',
    url,
    headers: { accept: 'image/*', range: `bytes=0-${HEAD_BYTES - 1}` },
    timeoutMs: TIMEOUT_MS,
    maxResponseBytes: HEAD_BYTES,
    stopWhen: (head, response) => isEnough(head, response, rules),
    ...(signal && { signal }),
  });
  return judge(result, rules);
}

function isEnough(head: Buffer, response: ResponseHead, rules: ImageRules): boolean {
  if (!isFile(response.status)) return true;
  const total = totalBytes(response);
  // If the size is not stated, the file must end within the head.
  if (total === undefined) return false;
  return total >= rules.maxBytes || imageSize(head) !== null;
}

function judge(result: OutboundResult, rules: ImageRules): ImageProbe {
  if (result.kind === 'failed') {
    return result.ours === undefined
      ? judgeFailure(result, result.durationMs)
      : { kind: 'unasked' };
  }
  const { status, broken, durationMs } = result;
  if (isPassing(status)) return { kind: 'unreachable', reason: `status ${status}` };
  return broken && isFile(status) ? judgeFailure(broken, durationMs) : judgeFile(result, rules);
}

function judgeFailure({ code, message }: OutboundTrouble, durationMs: number): ImageProbe {
  if (code === 'aborted') return { kind: 'unasked' };
  if (durationMs > TIMEOUT_MS / 2) return { kind: 'late' };
  return isFinal(code) ? bad('unreadable') : { kind: 'unreachable', reason: message };
}

function judgeFile(
  result: Extract<OutboundResult, { kind: 'response' }>,
  rules: ImageRules,
): ImageProbe {
  if (!isFile(result.status)) return bad('unreadable');
  const { body } = result;
  const isCut = result.truncated || body.length >= HEAD_BYTES;
  const bytes = totalBytes(result) ?? (isCut ? undefined : body.length);
  if (bytes !== undefined && bytes >= rules.maxBytes) return bad('too_large');
  if (bytes === 0) return bad('unreadable');
  const format = imageFormat(body);
  if (format === null || !rules.formats.includes(format)) return bad('wrong_format');
  const size = imageSize(body);
  if (size === null) return bad(isCut ? 'not_checked' : 'unreadable');
  const { width, height } = size;
  if (Math.min(width, height) < rules.minSide || Math.max(width, height) > rules.maxSide)
    return bad('wrong_size');
  return bytes === undefined ? bad('not_checked') : { kind: 'ok', format, width, height, bytes };
}

function bad(verdict: ImageVerdict): ImageProbe {
  return { kind: 'bad', verdict };
}

function isFile(status: number): boolean {
  return status === 200 || status === 206;
}

function isPassing(status: number): boolean {
  return status >= 500 || status === 408 || status === 425 || status === 429;
}

/** Failures that no retry fixes. An unresolved name is not among them. */
function isFinal(code: OutboundErrorCode): boolean {
  return (
    code === 'address_not_allowed' ||
    code === 'invalid_request' ||
    code === 'invalid_response' ||
    code === 'headers_too_large'
  );
}

/** Size of the whole file as stated by the server, bytes. */
function totalBytes({ status, headers }: ResponseHead): number | undefined {
  const text =
    status === 206
      ? /\/(\d+)$/.exec(headers['content-range'] ?? '')?.[1]
      : headers['content-length'];
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined;
}
