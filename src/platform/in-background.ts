/**
 * The only way to run a promise in the background: its failure goes to `onError`. An unhandled rejection would end
 * the process. `onError` must not throw; an empty one means that the failure is reported elsewhere.
 */
export function inBackground(work: Promise<unknown>, onError: (error: unknown) => void): void {
  work.catch(onError);
}
