/** What became of an attempt to deliver a webhook: the end of its delivery, or another attempt to come. */
export type AttemptResult = 'delivered' | 'acknowledged' | 'refused' | 'exhausted' | 'retried';

/** What deliveries of webhooks tell of themselves. No label has more values than code has words. */
export interface WebhookMetrics {
  /** One recorded attempt of a delivery. */
  readonly observeAttempt: (result: AttemptResult, durationSeconds: number) => void;
  /** One outcome of an attempt that Postgres did not take. */
  readonly countRefusedOutcome: () => void;
}
