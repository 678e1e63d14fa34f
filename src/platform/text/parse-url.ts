/**
 * The URL that a text is; null if it is none. Not `URL.canParse`: once Node 20 has compiled it, it says no to every URL
 * with a letter such as `ü` in it.
 */
export function parseUrl(text: string, base?: string): URL | null {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}
