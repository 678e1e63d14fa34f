import { parseUrl } from '../text/parse-url';

/** The host name or literal address of a URL, without brackets; the whole text if it is no URL. */
export function hostnameOf(url: string): string {
  return parseUrl(url)?.hostname.replace(/^\[|\]$/g, '') ?? url;
}
