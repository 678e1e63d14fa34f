import type { UserId } from '../ids';

/** Who looks at rows: their own, or everybody's. */
export interface Viewer {
  readonly userId: UserId;
  /** Operators see every store's and every system's. */
  readonly seesAll: boolean;
}
