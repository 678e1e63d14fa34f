// One character at a time: a repeated class over the whole text fills the stack of backtracking on a long one.

/** What nobody sees: white space, and what Unicode says to leave out where it cannot be shown. */
const BLANK = /[\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cf}]/gu;
const VISIBLE = /[^\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cf}]/u;

/** Whether a text has no visible character, as an empty one has none. */
export function isBlank(text: string): boolean {
  const first = text.charCodeAt(0);
  // Nearly all texts begin with a visible ASCII character.
  if (first > 0x20 && first < 0x7f) return false;
  return !VISIBLE.test(text);
}

export function withoutBlanks(text: string): string {
  return text.replace(BLANK, '');
}

/**
 * Without what nobody sees at either end: a text that was copied from a chat or a spreadsheet may bring a direction mark
 * or a byte order mark with it.
 */
export function trimBlanks(text: string): string {
  const first = text.search(VISIBLE);
  if (first === -1) return '';
  let end = text.length;
  while (isBlank(text.slice(end - 1, end))) end -= 1;
  return text.slice(first, end);
}
