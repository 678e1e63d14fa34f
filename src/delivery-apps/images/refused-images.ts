import { quoteValue } from '../../platform/text/quote-value';
import type { ImageVerdict } from '../types';

/** The messages of IMAGE_POLICY=refuse; an image is named by its item. */
const REFUSALS: Readonly<Record<ImageVerdict, string>> = {
  not_https: 'must be served over SSL',
  wrong_format: 'must be a JPEG, PNG or GIF',
  too_large: 'must be under 10 MB',
  wrong_size: 'must be between 320 and 1144 pixels wide and high',
  unreadable: 'could not be read',
  not_checked: 'could not be read',
};

/** One message for each item with a bad image, in the order of the items. */
export function refusedImages(
  images: readonly { readonly url: string; readonly externalId: string }[],
  bad: ReadonlyMap<string, ImageVerdict>,
): readonly string[] {
  return images.flatMap(({ url, externalId }) => {
    const verdict = bad.get(url);
    return verdict ? [`The item image ${REFUSALS[verdict]}: ${quoteValue(externalId)}`] : [];
  });
}
