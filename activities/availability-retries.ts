import type { QueueClaim } from '../src/availability/sql/calls';
import { type LastFailure, postponeQueue } from '../src/availability/sql/pauses';
import { slowRetryPauseMs } from '../src/uploads/upload-retries';
import type { AvailabilityDeps } from './availability-context';

/** Puts the queue back to wait, with the same delays as uploads. */
export function postpone(
  { sql, settings }: Pick<AvailabilityDeps, 'sql' | 'settings'>,
  ref: QueueClaim,
  failure: LastFailure,
): Promise<void> {
  const { giveUpAfterMs, slowRetryMs } = settings;
  return postponeQueue(sql, ref, failure, {
    giveUpAfterMs,
    delayMs: (round) => slowRetryPauseMs(round, slowRetryMs),
  });
}
