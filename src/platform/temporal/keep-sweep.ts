import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import type { Log } from '../observe/log';
import { deleteOldSchedule, startSweep } from './start-sweep';

export interface SweepKeeper {
  /** Resolves when nothing is asked any more. */
  stop(): Promise<void>;
}

export interface KeeperOptions {
  readonly temporal: Client;
  readonly log: Log;
  /** ms between two looks. */
  readonly everyMs?: number;
}

/** How long rows may wait for their sweep after Temporal has lost its data; a look costs it about a millisecond. */
const EVERY_MS = 15_000;
/** A worker of the release before may have made it again; it goes at the start of a worker anyway. */
const OLD_SCHEDULE_EVERY = 8;
const ANSWER_WITHIN_MS = 5_000;

/**
 * Looks every now and then whether the sweep still runs. Temporal may come back without its data, from an old backup or
 * with none, and a run may be terminated by hand: workers go on polling then as if nothing had happened, and without
 * the sweep nobody would start again what was under way.
 */
export function keepSweep({ temporal, log, everyMs = EVERY_MS }: KeeperOptions): SweepKeeper {
  const stopping = new AbortController();

  let looks = 0;

  async function look(): Promise<void> {
    looks += 1;
    try {
      await temporal.withDeadline(Date.now() + ANSWER_WITHIN_MS, async () => {
        if (looks % OLD_SCHEDULE_EVERY === 0) await deleteOldSchedule(temporal);
        if (await startSweep(temporal)) log.warn('the sweep did not run any more; it was started');
      });
    } catch {
      // Away: others say so.
    }
  }

  const ended = (async () => {
    for (;;) {
      await delay(everyMs, undefined, { signal: stopping.signal }).catch(() => {});
      if (stopping.signal.aborted) return;
      await look();
    }
  })();

  return {
    async stop() {
      stopping.abort();
      await ended;
    },
  };
}
