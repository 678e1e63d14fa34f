/** What a renewal reports about the lines and the workers that take them. */
export interface LineCount {
  /** Lines that have a drain or need one. */
  readonly lines: number;
  /** Other processes that take lines. */
  readonly others: number;
  /** No other process takes lines, nor looks now and then whether there is one to take. */
  readonly isAlone: boolean;
  /** Lines of this process. */
  readonly held: number;
}

/** How many lines a process should have: an equal share, rounded up so that every line has a place. */
export interface LineShare {
  /**
   * Takes the result of the latest renewal; returns how many lines must be handed over. Counts only lines that were
   * in excess twice in a row: a worker that starts, stops or dies changes both numbers, but not at the same moment.
   */
  learn(count: LineCount): number;
  /** Whether a process with this many lines has less than its share. */
  hasRoom(held: number): boolean;
  /** Whether no other process takes lines, as far as is known; false before the first renewal. */
  isAlone(): boolean;
}

export function createLineShare(): LineShare {
  let share = Number.POSITIVE_INFINITY;
  let excessBefore = 0;
  let knowsOfNone = false;
  return {
    learn({ lines, others, isAlone, held }) {
      knowsOfNone = isAlone;
      share = others === 0 ? Number.POSITIVE_INFINITY : Math.ceil(lines / (others + 1));
      const excess = Math.max(0, held - share);
      const confirmed = Math.min(excess, excessBefore);
      excessBefore = excess;
      return confirmed;
    },
    hasRoom: (held) => held < share,
    isAlone: () => knowsOfNone,
  };
}
