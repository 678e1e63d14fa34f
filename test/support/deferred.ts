export interface Deferred {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
}

/** A promise that is resolved from outside. */
export function deferred(): Deferred {
  const held: { resolve?: () => void } = {};
  const promise = new Promise<void>((resolve) => {
    held.resolve = resolve;
  });
  return { promise, resolve: () => held.resolve?.() };
}
