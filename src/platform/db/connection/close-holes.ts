/**
 * Closes the gaps in a result, in place. A statement that fails after its first rows leaves the library's row counter
 * where it was, so the next result on that connection starts with that many holes; no row is missing.
 */
export function closeHoles(result: unknown): void {
  if (!Array.isArray(result)) return;
  if (!('count' in result)) {
    for (const each of result) closeHoles(each); // several statements in one simple query
    return;
  }
  if (result.length === result.count) return;
  let length = 0;
  // forEach skips holes, and a row never moves to the right.
  result.forEach((row: unknown) => (result[length++] = row));
  result.length = length;
}
