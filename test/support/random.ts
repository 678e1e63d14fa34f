/** An integer from 0 up to its argument, exclusive. */
export type Random = (below: number) => number;

export function randomFrom(seed: number): Random {
  const next = randomNumbers(seed);
  return (below) => Math.floor(next() * below);
}

/** Numbers in [0, 1): mulberry32, which is small, good enough for shapes, and the same on every machine. */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
