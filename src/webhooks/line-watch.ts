import { performance } from 'node:perf_hooks';
import type { Sql } from '../db/client';
import { findWaiting, renewLines } from '../db/webhook-lines';
import { inBackground } from '../in-background';
import type { Log } from '../log';
import type { DatabaseClock } from './database-clock';
import { createLatch } from './latch';
import type { Line } from './line';

export interface LineWatchDeps {
  readonly sql: Sql;
  readonly log: Log;
  readonly clock: DatabaseClock;
  /** Those of this process, by number. */
  readonly lines: ReadonlyMap<number, Line>;
}

/** Looks after all lines of a process: for what is due, and for their promises. It runs while there are any. */
export interface LineWatch {
  /** There is a line now, or announcements may have been missed. */
  readonly look: () => void;
  /** A line may have another drain. */
  readonly doubt: () => void;
}

/** What is due later, or was announced to nobody, is found by looking this often, and so much ahead. */
const LOOK_MS = 1_000;
/** Looking takes a share of the time at most: the more subscriptions wait, the longer it takes. */
const LOOK_SHARE = 30;
const RENEW_MS = 5_000;

export function createLineWatch({ sql, log, clock, lines }: LineWatchDeps): LineWatch {
  const latch = createLatch();
  let [lookAt, renewAt] = [0, 0];
  let isRunning = false;

  async function renew(): Promise<void> {
    renewAt = performance.now() + RENEW_MS;
    const held = [...lines.values()];
    const { now, epochs } = await renewLines(
      sql,
      held.map((line) => line.epoch),
    );
    clock.set(now);
    for (const line of held) if (!epochs.includes(line.epoch)) line.supersede();
  }

  async function look(): Promise<void> {
    const startedAt = performance.now();
    lookAt = startedAt + LOOK_MS;
    const aheadMs = 2 * LOOK_MS;
    for (const each of await findWaiting(sql, [...lines.keys()], aheadMs)) {
      const line = lines.get(each.line);
      if (each.dueMs <= 0) line?.wake(each.subscriptionId);
      else line?.wakeIn(each.subscriptionId, each.dueMs);
    }
    lookAt = Math.max(lookAt, startedAt + LOOK_SHARE * (performance.now() - startedAt));
  }

  async function run(): Promise<void> {
    while (lines.size > 0) {
      try {
        if (performance.now() >= renewAt) await renew();
        if (performance.now() >= lookAt) await look();
      } catch (error) {
        log.warn({ err: error }, 'what is due cannot be looked for');
      }
      await latch.wait(Math.max(1, Math.min(lookAt, renewAt) - performance.now()));
    }
    isRunning = false;
  }

  function soon(): void {
    latch.signal();
    if (isRunning) return;
    isRunning = true;
    inBackground(run(), (error) => log.error({ err: error }, 'lines are not looked after'));
  }

  return {
    look() {
      lookAt = 0;
      soon();
    },
    doubt() {
      renewAt = 0;
      soon();
    },
  };
}
