/** The first `length` code points; never half of a surrogate pair, which the app would show as a broken letter. */
export function cutText(text: string, length: number): string {
  // UTF-16 units are never fewer than code points: most texts need no look inside.
  return text.length <= length ? text : Array.from(text).slice(0, length).join('');
}
