import { setTimeout as delay } from 'node:timers/promises';
import { type Client, ScheduleNotFoundError } from '@temporalio/client';
import type { Log } from '../log';
import { ensureSweepSchedule, SWEEP_SCHEDULE_ID } from './sweep-schedule';

export interface SweepScheduleKeeper {
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
const ANSWER_WITHIN_MS = 5_000;

/**
 * Looks every now and then whether the sweep's schedule is still there. Temporal may come back without its data, from
 * an old backup or with none: workers go on polling then as if nothing had happened, and without the sweep nobody would
 * start again what was under way.
 */
export function keepSweepSchedule({
  temporal,
  log,
  everyMs = EVERY_MS,
}: KeeperOptions): SweepScheduleKeeper {
  const stopping = new AbortController();

  async function look(): Promise<void> {
    try {
      await temporal.withDeadline(Date.now() + ANSWER_WITHIN_MS, () =>
        temporal.schedule.getHandle(SWEEP_SCHEDULE_ID).describe(),
      );
    } catch (error) {
      if (!(error instanceof ScheduleNotFoundError)) return; // away: others say so
      log.warn('Temporal has lost the schedule of the sweep; it is made again');
      await ensureSweepSchedule(temporal).catch((err: unknown) => {
        log.warn({ err }, 'the schedule of the sweep cannot be made');
      });
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
