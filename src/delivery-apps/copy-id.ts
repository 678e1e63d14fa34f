import { createHash } from 'node:crypto';
import { lengthOf } from './text-length';

/**
 * The id of a copy: its parts joined by `~`, unless that has more than `longest` characters or already means something
 * else: POS ids may contain `~`, so that group `a~b` of item `c` and group `a` of item `b~c` read alike. Then a digest of
 * the parts, which stays the same from push to push.
 */
export function copyId(
  parts: readonly string[],
  taken: ReadonlySet<string>,
  longest: number,
): string {
  const readable = parts.join('~');
  if (!taken.has(readable) && lengthOf(readable) <= longest) return readable;
  for (let attempt = 0; ; attempt += 1) {
    const id = createHash('sha256')
      .update(JSON.stringify([...parts, attempt]))
      .digest('hex');
    if (!taken.has(id)) return id;
  }
}
