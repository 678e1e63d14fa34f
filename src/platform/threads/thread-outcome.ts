/** The result of a task; a task that throws rejects instead. */
export type ThreadOutcome<Output> =
  | { readonly kind: 'done'; readonly value: Output }
  /** It took longer than its deadline. */
  | { readonly kind: 'too_late' }
  /** It needed more memory than a thread may have. */
  | { readonly kind: 'out_of_memory' };

/** A thread's messages: first that its code is loaded, then one result per task. */
export type ThreadMessage<Output> =
  | { readonly kind: 'ready' }
  | { readonly kind: 'done'; readonly value: Output }
  | { readonly kind: 'failed'; readonly error: unknown };
