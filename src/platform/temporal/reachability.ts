import type { Client } from '@temporalio/client';
import type { Log } from '../observe/log';

/**
 * Whether Temporal answers, tested by a small call every few seconds, so that waiting callers can be answered at
 * once.
 */
export interface Reachability {
  isReachable(): boolean;
  /** Resolves when no test is running: one may be retried and must find its connection open. */
  stop(): Promise<void>;
}

const LOST = 'Temporal is not reachable; accepted work waits';
const EVERY_MS = 2_000;

/**
 * Tests on a timer until stopped; calls `onLost` each time a test fails after one had succeeded. Calls of `client` must
 * end by themselves (`callTimeoutMs`).
 */
export function watchTemporal(
  client: Client,
  address: string,
  log: Log,
  onLost: () => void,
): Reachability {
  let reachable = true;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let asking: Promise<void>;

  const ask = async (): Promise<void> => {
    try {
      await client.workflowService.getSystemInfo({});
      if (!reachable) log.info('Temporal is reachable again');
      reachable = true;
    } catch (error) {
      if (stopped) return;
      if (reachable) log.warn({ address, reason: reasonOf(error) }, LOST);
      reachable = false;
      onLost();
    }
  };
  const loop = (): void => {
    asking = ask().then(() => {
      if (!stopped) timer = setTimeout(loop, EVERY_MS).unref();
    });
  };
  loop();

  return {
    isReachable: () => reachable,
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await asking;
    },
  };
}

/** gRPC's own words; the stack of a call that got no answer says nothing. */
function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
