/**
 * Room for requests that are out and hold nobody up any more, only somebody still listens for their status.
 * Bounded for the whole process: each is an open connection.
 */
export interface UnhurriedAnswers {
  /** False: full, the request has to keep its place among those in flight. */
  tryEnter(): boolean;
  leave(): void;
}

export function createUnhurriedAnswers(limit: number): UnhurriedAnswers {
  let listening = 0;
  return {
    tryEnter() {
      if (listening >= limit) return false;
      listening += 1;
      return true;
    },
    leave() {
      listening -= 1;
    },
  };
}
