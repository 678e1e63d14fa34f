import { beginDrain, surveyAfterDrain } from '../db/delivery-claims';
import type { DrainReport } from '../domain/drain-report';
import type { SubscriptionId } from '../ids';
import { createDrainLoop, type DrainControl, type DrainDeps } from './drain-loop';

export interface DrainOptions extends DrainControl {
  /** Registers what is to be called when rows of this subscription were announced; returns the undoing. */
  onWake(wake: () => void): () => void;
}

/**
 * Delivers what is due for one subscription until there has been nothing to do for a while.
 * Rejects only when Postgres does not answer at its begin or end, or a secret cannot be opened.
 */
export async function drainSubscription(
  deps: DrainDeps,
  subscriptionId: SubscriptionId,
  options: DrainOptions,
): Promise<DrainReport> {
  const begun = await beginDrain(deps.sql, subscriptionId);
  if (!begun) return { next: { kind: 'idle' }, attempts: 0, waiting: 0, waitingSince: null };
  const loop = createDrainLoop(deps, subscriptionId, begun, options);
  const unregister = options.onWake(() => loop.wake());
  const end = await loop.run().finally(unregister);
  const attempts = loop.attempts();
  // Whoever raised the epoch does the work, or is a straggler that is about to end: a new drain settles which.
  if (end === 'superseded') {
    return { next: { kind: 'again' }, attempts, waiting: 0, waitingSince: null };
  }
  return { attempts, ...(await surveyAfterDrain(deps.sql, subscriptionId, begun.epoch)) };
}
