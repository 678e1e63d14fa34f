import type { OutboundClient, OutboundResult, ResponseHead } from '../../platform/outbound/types';
import type { ImageFormat } from '../app-a/image-rules';
import { imageFormat } from './image-head';

/** A whole picture, for a person to look at. */
export interface Picture {
  readonly format: ImageFormat;
  readonly bytes: Buffer;
}

/** `missing`: its server says that there is none. `unreadable`: no answer in time, or it is no picture, or too large. */
export type PictureTrouble = 'missing' | 'unreadable';

/** The largest picture that is shown, bytes. Menus have larger ones rarely, and a page has hundreds. */
export const LARGEST_PICTURE = 5 * 1024 * 1024;
/** From the look-up of the host's name to the last byte, ms. */
const TIMEOUT_MS = 10_000;
/** The signatures of all formats are within these. */
const SIGNATURE_BYTES = 12;

/**
 * Fetches a picture that a stranger serves: PNG, JPEG, GIF or WebP by its first bytes, whatever its type is said to be.
 * It reads no more than it must: not the rest of what is none, nor of what is too large. Never rejects; redirects are
 * not followed, as for the images that are checked. `client` keeps it from addresses that are not public.
 */
export async function fetchPicture(
  client: OutboundClient,
  url: string,
): Promise<Picture | PictureTrouble> {
  const result = await client.request({
    method: 'GET',
    url,
    headers: { accept: 'image/webp, image/png, image/jpeg, image/gif' },
    timeoutMs: TIMEOUT_MS,
    // One more, so that the largest is told from a larger one.
    maxResponseBytes: LARGEST_PICTURE + 1,
    stopWhen: isHopeless,
  });
  return readPicture(result);
}

function isHopeless(head: Buffer, { status, headers }: ResponseHead): boolean {
  if (status !== 200 || Number(headers['content-length'] ?? 0) > LARGEST_PICTURE) return true;
  return head.length >= SIGNATURE_BYTES && imageFormat(head) === null;
}

function readPicture(result: OutboundResult): Picture | PictureTrouble {
  if (result.kind === 'failed') return 'unreadable';
  const { status, truncated, broken, body } = result;
  if (status === 404 || status === 410) return 'missing';
  const format = imageFormat(body);
  const isWhole = status === 200 && !truncated && !broken && body.length <= LARGEST_PICTURE;
  return isWhole && format !== null ? { format, bytes: body } : 'unreadable';
}
