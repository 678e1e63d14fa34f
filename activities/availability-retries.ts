import type { LineClaim } from '../src/availability/sql/calls';
import { type FailedLine, postponeLine } from '../src/availability/sql/pauses';
import { slowRetryPauseMs } from '../src/uploads/upload-retries';
import type { AvailabilityDeps } from './availability-context';

/** Puts the line back to wait, with the same delays as uploads. */
export function postpone(
  { sql, settings }: Pick<AvailabilityDeps, 'sql' | 'settings'>,
  ref: LineClaim,
  failure: FailedLine,
): Promise<void> {
  const { giveUpAfterMs, slowRetryMs } = settings;
  return postponeLine(sql, ref, failure, {
    giveUpAfterMs,
    delayMs: (round) => slowRetryPauseMs(round, slowRetryMs),
  });
}
