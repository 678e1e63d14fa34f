/** How many problems, and how many messages, an answer shows before it only counts. */
export const SHOWN_PROBLEMS = 50;

/** Replaces the messages past the 50th. */
export function moreErrors(count: number): string {
  return count === 1 ? 'There is 1 more error.' : `There are ${count} more errors.`;
}
