import { heartbeat } from '@temporalio/activity';

/** Slightly more often than the SDK sends them (every 0.7 s); a shorter step sends none. */
const HEARTBEAT_MS = 600;

export interface HeartbeatOptions {
  /** Time between two beats; a third of the step's heartbeat timeout. */
  readonly everyMs?: number;
  /** What the Temporal UI shows of the step while it runs. */
  readonly details?: () => unknown;
  /** Asked before each beat, which is left out if this says no. */
  readonly isWanted?: () => boolean;
}

/**
 * Sends heartbeats until `run` ends, so that a dead worker is noticed within seconds rather than after the step's
 * whole time.
 */
export async function withHeartbeat<T>(
  run: () => Promise<T>,
  { everyMs = HEARTBEAT_MS, details, isWanted = () => true }: HeartbeatOptions = {},
): Promise<T> {
  const timer = setInterval(() => {
    if (isWanted()) heartbeat(details?.());
  }, everyMs);
  try {
    return await run();
  } finally {
    clearInterval(timer);
  }
}
