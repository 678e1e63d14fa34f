/**
 * Does `work` with a signal that ends when `ms` have passed, or when `parent` does, with its reason; returns what the
 * work returns. Whether the signal ends the work is the work's own affair.
 *
 * In place of `AbortSignal.any([parent, AbortSignal.timeout(ms)])`: Node 20, and 22 before 22.13, collect that timeout
 * as garbage, and then it never comes. Here the pending timer holds the signal.
 */
export async function withinMs<T>(
  ms: number,
  work: (signal: AbortSignal) => Promise<T>,
  parent?: AbortSignal,
): Promise<T> {
  const ending = new AbortController();
  const onParent = (): void => ending.abort(parent?.reason);
  const timer = setTimeout(() => ending.abort(timeoutError()), ms);
  parent?.addEventListener('abort', onParent, { once: true });
  if (parent?.aborted) onParent();
  try {
    return await work(ending.signal);
  } finally {
    clearTimeout(timer);
    parent?.removeEventListener('abort', onParent);
  }
}

/** As that of `AbortSignal.timeout`. */
function timeoutError(): DOMException {
  return new DOMException('The operation was aborted due to timeout', 'TimeoutError');
}
