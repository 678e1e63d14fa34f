import { heartbeat } from '@temporalio/activity';

/** A little more often than the SDK sends one at most (each 0.7 s); what is shorter sends none. */
const HEARTBEAT_MS = 600;

export interface HeartbeatOptions {
  /** Time between two beats; a third of the step's heartbeat timeout. */
  readonly everyMs?: number;
  /** What the Temporal UI shows of the step while it runs. */
  readonly details?: () => unknown;
}

/** Beats until `run` ends, so that a dead worker is noticed in seconds and not after the step's whole time. */
export async function withHeartbeat<T>(
  run: () => Promise<T>,
  { everyMs = HEARTBEAT_MS, details }: HeartbeatOptions = {},
): Promise<T> {
  const timer = setInterval(() => heartbeat(details?.()), everyMs);
  try {
    return await run();
  } finally {
    clearInterval(timer);
  }
}
