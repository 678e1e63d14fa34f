/** Where a promise is attacked: a test file, or some tests of it by the words of their titles. */
export interface Proof {
  readonly file: string;
  /** Titles as they are written in the file, placeholders included; absent = the whole file. */
  readonly titles?: readonly string[];
}

/** A promise of the service, how the tests try to break it, and where. */
export interface Guarantee {
  readonly promise: string;
  readonly attack: string;
  readonly proofs: readonly Proof[];
}
