/** The result of an attempt to deliver a webhook: the end of its delivery, or `retried`. */
export type AttemptResult = 'delivered' | 'acknowledged' | 'refused' | 'exhausted' | 'retried';

/** Metrics of webhook deliveries. All values of labels are words in the code, so their number is bounded. */
export interface WebhookMetrics {
  /** One recorded attempt of a delivery. */
  readonly observeAttempt: (result: AttemptResult, durationSeconds: number) => void;
  /** One outcome of an attempt that Postgres rejected. */
  readonly countRefusedOutcome: () => void;
}
