/** Whether a URL is absolute and https: every app refuses the rest. */
export function isHttpsUrl(url: string): boolean {
  return URL.canParse(url) && new URL(url).protocol === 'https:';
}
