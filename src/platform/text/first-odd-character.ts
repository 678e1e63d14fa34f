import { asciiUpper } from './ascii-case';

/**
 * Where the first character that `odd` matches is, for a hint: `U+00E9 at 3`, counted in characters from 1; null without
 * one. The code alone is said, as the character may be invisible. `odd` must have the flags g and u.
 */
export function firstOddCharacter(text: string, odd: RegExp): string | null {
  const [found] = text.matchAll(odd);
  const code = found?.[0].codePointAt(0);
  if (found === undefined || code === undefined) return null;
  const at = Array.from(text.slice(0, found.index)).length + 1;
  return `U+${asciiUpper(code.toString(16)).padStart(4, '0')} at ${at}`;
}
