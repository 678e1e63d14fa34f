import { addImageLoss, type EntityRef, type LossBook } from '../losses';
import type { TransformInput } from '../types';
import { parseUrl } from '../../platform/text/parse-url';

/**
 * An image's URL as it goes out: as the WHATWG URL standard serialises it, so without blanks, with percent-encoded and
 * punycoded letters, as apps differ in what else they take. null if it is no absolute https URL, which every app
 * requires.
 */
export function toImageUrl(url: string): string | null {
  const parsed = parseUrl(url);
  return parsed?.protocol === 'https:' ? parsed.href : null;
}

/** The URL to send for an item's image; undefined without one, or with a loss if the image is bad. */
export function fitImage(
  losses: LossBook,
  ref: EntityRef,
  url: string | null | undefined,
  badImages: TransformInput['badImages'],
): string | undefined {
  if (!url) return undefined;
  const sent = toImageUrl(url);
  const verdict = sent === null ? 'not_https' : badImages?.get(url);
  if (sent !== null && verdict === undefined) return sent;
  addImageLoss(losses, ref, verdict ?? 'not_https');
  return undefined;
}
