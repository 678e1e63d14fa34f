import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import type { Log } from '../observe/log';
import { startSweep } from './start-sweep';

export interface SweepKeeper {
  /** Resolves when no query is running. */
  stop(): Promise<void>;
}

export interface KeeperOptions {
  readonly temporal: Client;
  readonly log: Log;
  /** ms between two checks. */
  readonly everyMs?: number;
}

/** How long rows may wait for their sweep after Temporal has lost its data; a check costs it about a millisecond. */
const EVERY_MS = 15_000;
const ANSWER_WITHIN_MS = 5_000;

/**
 * Checks regularly that the sweep still runs. Temporal may come back without its data or with old data, and somebody
 * may terminate the run: workers would keep polling as if nothing had happened, and without the sweep no lost work
 * would be restarted.
 */
export function keepSweep({ temporal, log, everyMs = EVERY_MS }: KeeperOptions): SweepKeeper {
  const stopping = new AbortController();

  async function look(): Promise<void> {
    try {
      await temporal.withDeadline(Date.now() + ANSWER_WITHIN_MS, async () => {
        if (await startSweep(temporal)) log.warn('the sweep was not running; it was started');
      });
    } catch {
      // Temporal is away, which is logged elsewhere.
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
