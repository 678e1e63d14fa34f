/** What became of a task; a task that throws is an exception. */
export type ThreadOutcome<Output> =
  | { readonly kind: 'done'; readonly value: Output }
  /** It took longer than its deadline. */
  | { readonly kind: 'too_late' }
  /** It needed more memory than a thread may have. */
  | { readonly kind: 'out_of_memory' };

/** What a thread says: once that its code is loaded, then one end for each task. */
export type ThreadMessage<Output> =
  | { readonly kind: 'ready' }
  | { readonly kind: 'done'; readonly value: Output }
  | { readonly kind: 'failed'; readonly error: unknown };
