/**
 * Whether a URL is absolute and https, which every app requires. The text itself must say so: the URL parser also
 * takes ` https://…` and `https:…`, which an app may refuse, and with it the whole menu.
 */
export function isHttpsUrl(url: string): boolean {
  return /^https:\/\//i.test(url) && URL.canParse(url);
}
