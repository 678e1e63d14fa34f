import { randomNumbers } from '../random';

/** Numbers that look random and are the same for the same seed. */
export interface Random {
  /** A whole number from 0 to `below` - 1. */
  below(below: number): number;
  /** True once in `times`. */
  once(times: number): boolean;
  pick<T>(values: readonly T[]): T;
  bytes(count: number): Buffer;
}

export function createRandom(seed: number): Random {
  const next = randomNumbers(seed);
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    below,
    once: (times) => below(times) === 0,
    pick<T>(values: readonly T[]): T {
      const value = values[below(values.length)];
      if (value === undefined) throw new Error('there is nothing to pick from');
      return value;
    },
    bytes: (count) => Buffer.from(Array.from({ length: count }, () => below(256))),
  };
}
