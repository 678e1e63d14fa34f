/**
 * The only way to leave a promise to itself: it has an owner all the same, who hears of its failure. A rejection
 * without one ends the process. `onError` must not throw; an empty one says that the failure is told elsewhere.
 */
export function inBackground(work: Promise<unknown>, onError: (error: unknown) => void): void {
  work.catch(onError);
}
