/** How many characters a text has for the app: code points, so an emoji is one and not two. */
export function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}

/** The first `length` code points; never half of a surrogate pair, which the app would show as a broken letter. */
export function cutText(text: string, length: number): string {
  // UTF-16 units are never fewer than code points: most texts need no look inside.
  return text.length <= length ? text : Array.from(text).slice(0, length).join('');
}
