import { setTimeout as delay } from 'node:timers/promises';
import { cancellationSignal } from '@temporalio/activity';

/** Pause while another process fetches the token, ms. */
export const ELSEWHERE_PAUSE_MS = 1_000;

/** Waits; rejects if the activity is cancelled, or `signal` is aborted. */
export function wait(ms: number, signal: AbortSignal = cancellationSignal()): Promise<void> {
  return delay(ms, undefined, { signal });
}
