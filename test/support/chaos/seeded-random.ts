import { randomNumbers } from '../random';

/** Random numbers that a seed repeats. */
export interface SeededRandom {
  /** In [0, 1). */
  next(): number;
  /** An integer from `least` to `most`, both included. */
  between(least: number, most: number): number;
  pick<T>(from: readonly T[]): T;
}

export function seededRandom(seed: number): SeededRandom {
  const next = randomNumbers(seed);
  return {
    next,
    between: (least, most) => least + Math.floor(next() * (most - least + 1)),
    pick(from) {
      const picked = from[Math.floor(next() * from.length)];
      if (picked === undefined) throw new Error('there is nothing to pick from');
      return picked;
    },
  };
}
