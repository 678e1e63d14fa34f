import { performance } from 'node:perf_hooks';
import type { Sql } from '../db/client';
import { findSleepingLines, findWaiting, RENEW_MS, renewLines } from '../db/webhook-lines';
import type { Log } from '../log';
import type { DatabaseClock } from './database-clock';
import { createLapseRecord } from './lapse-record';
import { createLatch } from './latch';
import type { Line } from './line';

export interface LineWatchDeps {
  readonly sql: Sql;
  readonly log: Log;
  readonly clock: DatabaseClock;
  /** Those of this process, by number. */
  readonly lines: ReadonlyMap<number, Line>;
  /** A line needs another drain than the one with this epoch, whose process is dead, stands still, or never began. */
  readonly onLapsed: (line: number, epoch: number) => void;
}

/**
 * A promise has run out when it is found so twice with a renewal's time between: after a Postgres that was away all
 * promises have run out, and those who live renew theirs at once.
 */
const LAPSED_MS = 400;
/** A line with something to send and no drain: its nudge got lost, or the task to begin went to a process that stands still. */
const SLEEPING_MS = 3_000;

/** Looks after all lines: for what is due in those of this process, for their promises, and for those of dead processes. */
export interface LineWatch {
  /** There is a line now, or announcements may have been missed. */
  readonly look: () => void;
  /** A line may have another drain. */
  readonly doubt: () => void;
  stop(): Promise<void>;
}

/** What is due later, or was announced to nobody, is found by looking this often, and so much ahead. */
const LOOK_MS = 1_000;
/** A process without lines has nothing to renew, and only looks whether another one needs it: it is to cost nothing. */
const IDLE_LOOK_MS = 3_000;
const IDLE_RENEW_MS = 700;
/** Looking takes a share of the time at most: the more subscriptions wait, the longer it takes. */
const LOOK_SHARE = 30;

export function startLineWatch({ sql, log, clock, lines, onLapsed }: LineWatchDeps): LineWatch {
  const latch = createLatch();
  const lapsing = createLapseRecord(LAPSED_MS);
  const sleeping = createLapseRecord(SLEEPING_MS);
  let [lookAt, renewAt] = [0, 0];
  const stopping = new AbortController();

  async function renew(): Promise<void> {
    const startedAt = performance.now();
    renewAt = startedAt + (lines.size > 0 ? RENEW_MS : IDLE_RENEW_MS);
    const own = [...lines.values()].filter((line) => !line.isGivingUp());
    const { now, held, lapsed, lapsedLines } = await renewLines(
      sql,
      own.map((line) => line.epoch),
    );
    clock.set(now);
    for (const line of own) if (!held.includes(line.epoch)) line.supersede();
    const others = lapsedLines
      .map((line, index) => ({ line, epoch: lapsed[index] ?? 0 }))
      .filter(({ epoch }) => !held.includes(epoch));
    for (const { line, epoch } of lapsing.confirm(others, startedAt)) onLapsed(line, epoch);
  }

  async function look(): Promise<void> {
    const startedAt = performance.now();
    lookAt = startedAt + (lines.size > 0 ? LOOK_MS : IDLE_LOOK_MS);
    for (const { line, epoch } of sleeping.confirm(await findSleepingLines(sql), startedAt)) {
      onLapsed(line, epoch);
    }
    const aheadMs = 2 * LOOK_MS;
    const held = [...lines.keys()];
    for (const each of held.length > 0 ? await findWaiting(sql, held, aheadMs) : []) {
      const line = lines.get(each.line);
      if (each.dueMs <= 0) line?.wake(each.subscriptionId);
      else line?.wakeIn(each.subscriptionId, each.dueMs);
    }
    lookAt = Math.max(lookAt, startedAt + LOOK_SHARE * (performance.now() - startedAt));
  }

  /** Logs a failure once, and again after it has worked meanwhile: it is tried twice a second. */
  function attempt(work: () => Promise<void>, words: string): () => Promise<void> {
    let failed = false;
    return async () => {
      try {
        await work();
        failed = false;
      } catch (error) {
        if (!failed) log.warn({ err: error }, words);
        failed = true;
      }
    };
  }

  // Apart from each other: a look may take long, and a promise must not run out meanwhile.
  const [tryRenew, tryLook] = [
    attempt(renew, 'the promises of lines cannot be renewed'),
    attempt(look, 'what is due cannot be looked for'),
  ];
  const lookLatch = createLatch();
  async function every(work: () => Promise<void>, at: () => number, own: typeof latch) {
    while (!stopping.signal.aborted) {
      if (performance.now() >= at()) await work();
      if (!stopping.signal.aborted) await own.wait(Math.max(1, at() - performance.now()));
    }
  }
  const running = Promise.all([
    // neither rejects: what fails is tried again
    every(tryRenew, () => renewAt, latch),
    every(tryLook, () => lookAt, lookLatch),
  ]);

  return {
    look() {
      lookAt = 0;
      lookLatch.signal();
    },
    doubt() {
      renewAt = 0;
      latch.signal();
    },
    async stop() {
      stopping.abort();
      latch.signal();
      lookLatch.signal();
      await running;
    },
  };
}
