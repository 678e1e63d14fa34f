import { postponeLine } from '../src/availability/sql/pauses';
import { slowRetryPauseMs } from '../src/uploads/upload-retries';
import type { AvailabilityDeps, LineRef } from './availability-context';

/** Puts the line back to wait, with the same delays as uploads. */
export function postpone(
  { sql, settings }: Pick<AvailabilityDeps, 'sql' | 'settings'>,
  ref: LineRef,
  failure: { readonly reason: string; readonly afterMs: number | null },
): Promise<void> {
  const { giveUpAfterMs, slowRetryMs } = settings;
  return postponeLine(sql, ref, failure, {
    giveUpAfterMs,
    delayMs: (round) => slowRetryPauseMs(round, slowRetryMs),
  });
}
