/** What a renewal tells of the lines and of who takes them. */
export interface LineCount {
  /** Lines that have a drain, or should have one. */
  readonly lines: number;
  /** Other processes that take lines. */
  readonly others: number;
  /** Lines of this process. */
  readonly held: number;
}

/** How many of the lines a process should have: as many as the others, rounded up, so that all lines have a place. */
export interface LineShare {
  /**
   * Takes what the latest renewal found; how many lines are to be let go. Only what was too many twice in a row: a
   * worker that starts, stops or dies changes both numbers, but not in one moment.
   */
  learn(count: LineCount): number;
  /** Whether a process with so many lines has less than its share. */
  hasRoom(held: number): boolean;
}

export function createLineShare(): LineShare {
  let share = Number.POSITIVE_INFINITY;
  let excessBefore = 0;
  return {
    learn({ lines, others, held }) {
      share = others === 0 ? Number.POSITIVE_INFINITY : Math.ceil(lines / (others + 1));
      const excess = Math.max(0, held - share);
      const confirmed = Math.min(excess, excessBefore);
      excessBefore = excess;
      return confirmed;
    },
    hasRoom: (held) => held < share,
  };
}
