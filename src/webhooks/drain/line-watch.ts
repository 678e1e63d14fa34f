import { performance } from 'node:perf_hooks';
import type { Sql } from '../../platform/db/client';
import {
  type LineEpoch,
  lookQuietly,
  QUIET_RENEW_MS,
  RENEW_MS,
  renewLines,
} from '../sql/line-promises';
import { leapIfTimelineChanged } from '../sql/timeline';
import { lookAtLines } from '../sql/webhook-lines';
import type { Log } from '../../platform/observe/log';
import type { DatabaseClock } from '../../platform/db/database-clock';
import { createLatch } from '../../platform/latch';
import type { LineDrain } from './line-drain';
import type { LineShare } from './line-share';

export interface LineWatchDeps {
  readonly sql: Sql;
  readonly log: Log;
  readonly clock: DatabaseClock;
  /** The lines of this process, by number. */
  readonly lines: ReadonlyMap<number, LineDrain>;
  readonly worker: string;
  readonly share: LineShare;
  /** How long a claim holds. */
  /**
   * A line needs another drain than the one with this epoch: that one's process is dead or frozen, or it never began.
   */
  readonly onLapsed: (line: number, epoch: number) => void;
}

/**
 * A promise counts as expired when it is found expired twice, one renewal apart: after an outage of Postgres all
 * promises have expired, and living drains renew theirs at once.
 */
const LAPSED_MS = 400;
/**
 * A line that has had something to send, but no drain, for this long gets one: its nudge got lost, or its task went to
 * a frozen process.
 */
const SLEEPING_MS = 3_000;

/**
 * Watches all lines: for due deliveries in those of this process, for their promises, and for lines of dead
 * processes.
 */
export interface LineWatch {
  /** There is a line now, or announcements may have been missed. */
  readonly look: () => void;
  /** A line may have lost its drain to another one. */
  readonly doubt: () => void;
  /** Whether this process takes lines and counts among those that share them. */
  readonly setPolling: (isPolling: boolean) => void;
  stop(): Promise<void>;
}

/**
 * Deliveries that are due later, or whose announcement was lost, are found by looking this often and this far ahead.
 */
const LOOK_MS = 1_000;
/**
 * A process without lines has nothing to renew and only checks whether a line needs it, so it looks less often to
 * cost little.
 */
const IDLE_LOOK_MS = 3_000;
const IDLE_RENEW_MS = 700;
/**
 * How often the timeline of Postgres is looked up; also at once after a renewal failed, as during a failover, and every
 * `RENEW_MS` until there is an answer.
 */
const TIMELINE_MS = 10_000;
/** Looking takes at most one part in this many of the time, because it takes longer the more subscriptions wait. */
const LOOK_SHARE = 30;

/** Timers may fire this much too early, and the process would wake once more for what is left. */
const TIMER_EARLY_MS = 1;

export function startLineWatch(deps: LineWatchDeps): LineWatch {
  const { sql, log, clock, lines, worker, share, onLapsed } = deps;
  const [latch, lookLatch, timelineLatch] = [createLatch(), createLatch(), createLatch()];
  const lapsing = createLapseRecord(LAPSED_MS);
  const sleeping = createLapseRecord(SLEEPING_MS);
  let [lookAt, renewAt, timelineAt] = [0, 0, 0];
  let [polling, wantsLook, isQuiet] = [false, false, false];
  const stopping = new AbortController();

  async function renew(): Promise<void> {
    const startedAt = performance.now();
    const nextAt = startedAt + (lines.size > 0 ? RENEW_MS : IDLE_RENEW_MS);
    renewAt = nextAt;
    // By a doubt, or by a line that began.
    const isOvertaken = () => renewAt !== nextAt || lines.size > 0;
    // A process that takes no lines has no row that could be fresh.
    if (isQuiet && polling && lines.size === 0) {
      isQuiet = (await isQuietStill()) && !isOvertaken();
      if (isQuiet) {
        renewAt = startedAt + QUIET_RENEW_MS;
        return;
      }
    }
    const own = [...lines.values()].filter((line) => !line.isGivingUp());
    const drains = own.map(({ number, epoch }) => ({ line: number, epoch }));
    const found = await renewLines(sql, drains, { worker, polling }).catch(doubtTimeline);
    const { now, kept, renewed, lapsed } = found;
    clock.set(now);
    isQuiet = found.lines === 0 && !isOvertaken();
    if (isQuiet) renewAt = startedAt + QUIET_RENEW_MS;
    for (const line of own) {
      if (renewed.includes(line.number)) line.renewed(startedAt);
      else if (!kept.includes(line.number)) line.supersede();
    }
    const others = lapsed.filter(({ line }) => !kept.includes(line));
    for (const { line, epoch } of lapsing.confirm(others, startedAt)) onLapsed(line, epoch);
    offer(own, share.learn({ ...found, held: lines.size }));
  }

  /** Nothing to renew then; tells the clock and the share what it saw. */
  async function isQuietStill(): Promise<boolean> {
    const seen = await lookQuietly(sql, worker).catch(doubtTimeline);
    clock.set(seen.now);
    share.learn({ lines: 0, others: 0, isAlone: seen.isAlone, held: 0 });
    return seen.isQuiet;
  }

  function doubtTimeline(error: unknown): never {
    timelineAt = 0;
    timelineLatch.signal();
    throw error;
  }

  async function followTimeline(): Promise<void> {
    const repeatAt = performance.now() + RENEW_MS;
    timelineAt = repeatAt;
    if (await leapIfTimelineChanged(sql))
      log.warn('Postgres is on another timeline: the numbers of webhooks leap ahead');
    // A renewal that failed meanwhile asks for another look: this answer may still be that of the former server.
    if (timelineAt === repeatAt) timelineAt = performance.now() + TIMELINE_MS;
  }

  /** Hands over this many lines; those that cannot be handed over now are tried again with the next renewal. */
  function offer(own: readonly LineDrain[], count: number): void {
    if (count === 0) return;
    const held = own.filter((line) => line.offerable() === 'held').length;
    const offered = own
      .filter((line) => line.offerable() === 'yes')
      .slice(0, Math.max(0, count - held));
    for (const line of offered) line.offer();
    if (offered.length > 0)
      log.info(
        { lines: offered.map(({ number }) => number) },
        'lines are handed over to workers with fewer lines',
      );
  }

  async function look(): Promise<void> {
    const startedAt = performance.now();
    wantsLook = false;
    lookAt = startedAt + (lines.size > 0 ? LOOK_MS : IDLE_LOOK_MS);
    const aheadMs = 2 * LOOK_MS;
    const found = await lookAtLines(sql, [...lines.keys()], aheadMs);
    for (const { line, epoch } of sleeping.confirm(found.sleeping, startedAt))
      onLapsed(line, epoch);
    for (const each of found.waiting) {
      const line = lines.get(each.line);
      if (each.dueMs <= 0) line?.wake(each.subscriptionId);
      else line?.wakeIn(each.subscriptionId, each.dueMs);
    }
    // What is wanted now was perhaps not there when this look began.
    if (!wantsLook)
      lookAt = Math.max(lookAt, startedAt + LOOK_SHARE * (performance.now() - startedAt));
  }

  /** Logs a failure once, and again only after a success in between, because the work is tried twice a second. */
  function loggingOnce(work: () => Promise<void>, words: string): () => Promise<void> {
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

  // Separate loops: a look may take long, and no promise may expire meanwhile.
  const [tryRenew, tryLook, tryTimeline] = [
    loggingOnce(renew, 'the promises of lines cannot be renewed'),
    loggingOnce(look, 'looking for due deliveries failed'),
    loggingOnce(followTimeline, 'the timeline of Postgres cannot be looked up'),
  ];
  async function every(work: () => Promise<void>, at: () => number, own: typeof latch) {
    while (!stopping.signal.aborted) {
      if (performance.now() >= at() - TIMER_EARLY_MS) await work();
      if (!stopping.signal.aborted) await own.wait(Math.max(1, at() - performance.now()));
    }
  }
  const running = Promise.all([
    // None rejects: a failure is tried again.
    every(tryRenew, () => renewAt, latch),
    every(tryLook, () => lookAt, lookLatch),
    every(tryTimeline, () => timelineAt, timelineLatch),
  ]);

  return {
    look() {
      wantsLook = true;
      lookAt = 0;
      lookLatch.signal();
      // A line that has begun is renewed in time.
      renewAt = Math.min(renewAt, performance.now() + RENEW_MS);
      latch.signal();
    },
    doubt() {
      renewAt = 0;
      latch.signal();
    },
    setPolling(isPolling) {
      polling = isPolling;
      renewAt = 0;
      latch.signal();
    },
    async stop() {
      stopping.abort();
      latch.signal();
      lookLatch.signal();
      timelineLatch.signal();
      await running;
    },
  };
}

/** Which lines lack a drain that they need, and since when we have known. */
export interface LapseRecord {
  /** Takes the current findings (`now`: ms, monotonic); returns the lines to act on. */
  confirm(lapsed: readonly LineEpoch[], now: number): LineEpoch[];
}

/** After this time the same lapse is reported again, in case the first report got lost. */
const AGAIN_MS = 10_000;

/** By both, because lines that never had a drain have the same epoch. */
const nameOf = ({ line, epoch }: LineEpoch): string => `${line} ${epoch}`;

/** `confirmMs`: how long a lapse must last before it counts, to allow for work that is on its way. */
export function createLapseRecord(confirmMs: number): LapseRecord {
  let known = new Map<string, { readonly foundAt: number; actedAt: number }>();
  return {
    confirm(lapsed, now) {
      known = new Map(
        lapsed.map((each) => [
          nameOf(each),
          known.get(nameOf(each)) ?? { foundAt: now, actedAt: Number.NEGATIVE_INFINITY },
        ]),
      );
      return lapsed.filter((each) => {
        const entry = known.get(nameOf(each));
        if (!entry || now - entry.foundAt < confirmMs || now - entry.actedAt < AGAIN_MS)
          return false;
        entry.actedAt = now;
        return true;
      });
    },
  };
}
