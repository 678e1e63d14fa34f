/*
 * Changes the case of codes, schemes and header names: A to Z only. JavaScript folds all of Unicode, and some
 * non-ASCII letters fold into ASCII: `ı` becomes I, `ſ` S, the Kelvin sign k, and `ﬁ` even two letters, FI.
 */

export function asciiLower(text: string): string {
  // Most are in lower case already, and replacing takes four times as long as looking.
  return /[A-Z]/.test(text) ? text.replaceAll(/[A-Z]+/g, (each) => each.toLowerCase()) : text;
}

export function asciiUpper(text: string): string {
  return text.replaceAll(/[a-z]+/g, (letters) => letters.toUpperCase());
}
