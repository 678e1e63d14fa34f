import { createHash } from 'node:crypto';

/** A 64-bit id above 2^53 made from a name, as digits: the same name gives the same id. */
export function longId(name: string): string {
  const bits = createHash('sha256').update(name).digest().readBigUInt64BE();
  // The two highest bits are 01: positive for those who read signed numbers, and far above 2^53 for all.
  return String((bits & ((1n << 62n) - 1n)) | (1n << 62n));
}
