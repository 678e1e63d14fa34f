/*
 * Case of codes, schemes and names of headers: A to Z and nothing else. JavaScript folds all of Unicode, and some letters
 * beyond ASCII fold into it: `ı` becomes I, `ſ` S, the Kelvin sign k, and `ﬁ` even two letters, FI.
 */

export function asciiLower(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

export function asciiUpper(text: string): string {
  return text.replaceAll(/[a-z]+/g, (letters) => letters.toUpperCase());
}
