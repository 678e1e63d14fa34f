/*
 * Changes the case of codes, schemes and header names: A to Z only. JavaScript folds all of Unicode, and some
 * non-ASCII letters fold into ASCII: `ı` becomes I, `ſ` S, the Kelvin sign k, and `ﬁ` even two letters, FI.
 */

export function asciiLower(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

export function asciiUpper(text: string): string {
  return text.replaceAll(/[a-z]+/g, (letters) => letters.toUpperCase());
}
