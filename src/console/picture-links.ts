import type { SecretBox } from '../platform/crypto/secrets';

/** The path of the route that shows a picture. */
export const PICTURES = '/console/pictures';
const CONTEXT = 'console picture';

/** Where a page shows the picture at a URL from. */
export type PictureLink = (url: string) => string;

/**
 * Links to pictures, signed, so that the service fetches only what it has written into a page. A link is the same each
 * time, so that browsers keep the picture.
 */
export function createPictureLink(secrets: Pick<SecretBox, 'sign'>): PictureLink {
  return (url) => {
    const query = new URLSearchParams({ url, signature: secrets.sign(url, CONTEXT) });
    return `${PICTURES}?${query.toString()}`;
  };
}

/** The URL of the picture that a link asks for; undefined if we did not make the link. */
export function readPictureLink(
  secrets: Pick<SecretBox, 'isSigned'>,
  { url, signature }: Readonly<Record<string, string>>,
): string | undefined {
  if (url === undefined || signature === undefined) return undefined;
  return secrets.isSigned(url, signature, CONTEXT) ? url : undefined;
}
