import { createHash } from 'node:crypto';
import { isLonger } from '../platform/text/is-longer';

/**
 * The id of a copy: its parts joined by `~`. If that is longer than `longest` or already taken, a digest of the parts
 * is used, which is the same for every push. It may be taken because POS ids may contain `~`: group `a~b` of item `c`
 * and group `a` of item `b~c` look alike.
 */
export function copyId(
  parts: readonly string[],
  taken: ReadonlySet<string>,
  longest: number,
): string {
  const readable = parts.join('~');
  if (!taken.has(readable) && !isLonger(readable, longest)) return readable;
  for (let attempt = 0; ; attempt += 1) {
    const id = createHash('sha256')
      .update(JSON.stringify([...parts, attempt]))
      .digest('hex');
    if (!taken.has(id)) return id;
  }
}
