import { heartbeat } from '@temporalio/activity';

const HEARTBEAT_MS = 2_000;

/** Beats until `run` ends, so that a dead worker is noticed in seconds and not after the step's whole time. */
export async function withHeartbeat<T>(run: () => Promise<T>): Promise<T> {
  const timer = setInterval(() => heartbeat(), HEARTBEAT_MS);
  try {
    return await run();
  } finally {
    clearInterval(timer);
  }
}
