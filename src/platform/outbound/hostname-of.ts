/** The host name or literal address of a URL, without brackets; the whole text if it is no URL. */
export function hostnameOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname.replace(/^\[|\]$/g, '') : url;
}
