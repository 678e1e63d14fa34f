import { quoteValue } from '../../platform/text/quote-value';
import { IMAGE_SENTENCES } from '../losses';
import type { ImageVerdict } from '../types';

/** The messages of IMAGE_POLICY=refuse; an image is named by its item. */
const REFUSALS: Readonly<Record<ImageVerdict, string>> = {
  ...IMAGE_SENTENCES,
  not_checked: IMAGE_SENTENCES.unreadable,
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
