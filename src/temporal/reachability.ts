import type { Client } from '@temporalio/client';
import type { Log } from '../log';

/** Whether Temporal answers, by a small question every few seconds: what lets a waiting caller be told at once. */
export interface Reachability {
  isReachable(): boolean;
  stop(): void;
}

const EVERY_MS = 2_000;
const ANSWER_WITHIN_MS = 2_000;

/** Asks on a timer until stopped; `onLost` is called each time an answer fails to come after one had come. */
export function watchTemporal(client: Client, log: Log, onLost: () => void): Reachability {
  let reachable = true;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;

  const ask = async (): Promise<void> => {
    try {
      await client.withDeadline(Date.now() + ANSWER_WITHIN_MS, () =>
        client.workflowService.getSystemInfo({}),
      );
      if (!reachable) log.info('Temporal is reachable again');
      reachable = true;
    } catch (error) {
      if (stopped) return;
      if (reachable) log.warn({ err: error }, 'Temporal is not reachable; accepted work waits');
      reachable = false;
      onLost();
    }
  };
  const loop = (): void => {
    void ask().then(() => {
      if (!stopped) timer = setTimeout(loop, EVERY_MS).unref();
    });
  };
  loop();

  return {
    isReachable: () => reachable,
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
