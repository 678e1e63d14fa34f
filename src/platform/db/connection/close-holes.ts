/**
 * Moves the rows of a result together, in place. A statement that fails after its first rows leaves the library's row
 * counter where it was, and the next result on that connection begins with that many holes; the rows are all there.
 */
export function closeHoles(result: unknown): void {
  if (!Array.isArray(result)) return;
  if (!('count' in result)) {
    for (const each of result) closeHoles(each); // several statements in one simple query
    return;
  }
  if (result.length === result.count) return;
  let length = 0;
  // forEach skips holes, and a row never moves to the right of where it was.
  result.forEach((row: unknown) => (result[length++] = row));
  result.length = length;
}
