import { setMaxListeners } from 'node:events';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from '../../platform/db/client';
import { PostgresAwayError } from '../../platform/db/connection/postgres-away-error';
import { ALIVE_MS, type BegunLine, promiseLine, RENEW_MS, restLine } from '../sql/line-promises';
import { type SurveyedLine, surveyLines } from '../sql/webhook-lines';
import { createLineHandover, type Offerable } from './line-handover';
import type { LineReport } from '../lines/line-report';
import type { SubscriptionId } from '../../platform/ids';
import { inBackground } from '../../platform/in-background';
import {
  createSubscriptionDrain,
  type DrainControl,
  type DrainDeps,
  type SubscriptionDrain,
} from './subscription-drain';
import { createLatch } from '../../platform/latch';
import { createShortLivedMap } from '../../platform/short-lived';

export interface LineDrainDeps extends DrainDeps {
  readonly sql: Sql;
  /** How long a line with nothing to send keeps listening, ms. */
  readonly lineLingerMs: number;
}

/**
 * One line, from the start of its drain to its end. It works while a subscription has something to send or will have,
 * lingers when there is nothing, and then rests: it withdraws the promise to look again and ends. It ends earlier
 *
 * - for others: after ten minutes, at the first moment without a request in flight; or handed over to another worker
 *   (`line-handover.ts`);
 * - because it is stopped: requests in flight may end and are recorded;
 * - at once, when it is superseded or aborted: requests in flight are aborted, and their deliveries released.
 *
 * In any case its subscriptions have ended, and everything is recorded, before `run` resolves.
 */
export interface LineDrain {
  readonly number: number;
  readonly epoch: number;
  /**
   * Delivers until there has been nothing to do for a while, or it is told to stop; by then everything is recorded.
   */
  run(): Promise<LineReport>;
  /** Rows of this subscription were announced or are due. */
  wake(subscriptionId: SubscriptionId): void;
  /** This subscription will have something to send in `ms`. */
  wakeIn(subscriptionId: SubscriptionId, ms: number): void;
  /** Its promise was renewed by a statement that was sent at this time (`performance.now()`). */
  renewed(at: number): void;
  /** Another drain of the line has begun. */
  supersede(): void;
  /** Subscriptions that currently have deliveries. */
  size(): number;
  /** It takes nothing more: what it is told of now waits for the next drain. */
  isEnding(): boolean;
  /** It ends now, even with requests in flight: its promise is no longer renewed. */
  isGivingUp(): boolean;
  /** Whether the line can be offered to another worker now. */
  offerable(): Offerable;
  /** Hands the line over as soon as nothing is in flight; until then nothing is claimed. */
  offer(): void;
  /** It has ended so that another worker can take the line. */
  isLetGo(): boolean;
}

/** A line that this process has begun to drain. */
export interface Begun extends BegunLine {
  /** When the statement that began it was sent, by `performance.now()`: its promise holds from then on. */
  readonly begunAt: number;
}

/** What a drain has begun with. */
export interface BegunDrain extends Pick<Begun, 'epoch' | 'begunAt'> {
  readonly line: number;
}

/** An insert may be in progress that still saw the promise just withdrawn. */
const SETTLE_MS = 100;
/** A request that may be sent leaves within this time, unless the process freezes at that very moment. */
const LEAVES_WITHIN_MS = 100;
/** A subscription whose secret cannot be opened is retried after this time; its key may not be deployed yet. */
const FAILED_PAUSE_MS = 5_000;
/** After ten minutes a line ends as soon as nothing is in flight, so that workers can share the lines. */
const WISH_TO_END_MS = 600_000;
/** How often a line that wants to end checks whether anything is in flight. */
const CHECK_MS = 500;
/** The same for a line that is offered to another worker. */
const OFFERED_CHECK_MS = 20;

export function createLineDrain(
  deps: LineDrainDeps,
  { line, epoch, begunAt }: BegunDrain,
  { stopping, aborting }: DrainControl,
  onDoubt: () => void,
): LineDrain {
  const loops = createShortLivedMap<SubscriptionId, SubscriptionDrain>();
  const timers = new Map<SubscriptionId, NodeJS.Timeout>();
  /** Of drains that have ended, see `SubscriptionDrain`. */
  const doubts = new Map<SubscriptionId, number>();
  const [ending, givingUp] = [new AbortController(), new AbortController()];
  setMaxListeners(0, ending.signal, givingUp.signal); // one per subscription
  const latch = createLatch();
  const beganAt = performance.now();
  let [workedAt, renewedAt] = [beganAt, begunAt];
  let [attempts, isSuperseded, isResting] = [0, false, false];
  const handover = createLineHandover({ isQuiet, oldestMs, goOn });
  const isClaimingStopped = (): boolean => handover.isClaimingStopped();
  const isSure = (): boolean => performance.now() - renewedAt < ALIVE_MS - LEAVES_WITHIN_MS;
  const mustEnd = (): boolean => isSuperseded || stopping.aborted || aborting.aborted;

  function abort(): void {
    givingUp.abort();
    latch.signal();
  }

  function wake(subscriptionId: SubscriptionId): void {
    clearTimer(subscriptionId);
    const loop = loops.get(subscriptionId);
    if (loop) return loop.wake();
    if (ending.signal.aborted || mustEnd()) return;
    inBackground(deliver(subscriptionId), (error) =>
      deps.log.error(
        { subscription_id: subscriptionId, err: error },
        'a drain ended with an unexpected error',
      ),
    );
  }

  async function deliver(subscriptionId: SubscriptionId): Promise<void> {
    const target = { subscriptionId, line, epoch, doubtUntil: doubts.get(subscriptionId) };
    const control = {
      stopping: ending.signal,
      aborting: givingUp.signal,
      isClaimingStopped,
      isSure,
    };
    const loop = createSubscriptionDrain(deps, target, control);
    loops.set(subscriptionId, loop);
    try {
      const end = await loop.run();
      if (end === 'superseded') onDoubt();
    } catch (error) {
      deps.log.error(
        { subscription_id: subscriptionId, err: error },
        'the drain of a subscription failed; it pauses, then begins again',
      );
      await sleep(FAILED_PAUSE_MS, undefined, { signal: ending.signal }).catch(() => {});
    }
    attempts += loop.attempts();
    keepDoubt(subscriptionId, loop.doubtUntil());
    loops.delete(subscriptionId);
    workedAt = Math.max(workedAt, performance.now());
    // An announcement during its end may have come too late for its last claim.
    if (loop.expects()) wake(subscriptionId);
    latch.signal();
  }

  /** The latest stands last, so those that are over stand first. */
  function keepDoubt(subscriptionId: SubscriptionId, until: number): void {
    doubts.delete(subscriptionId);
    const now = performance.now();
    if (until > now) doubts.set(subscriptionId, until);
    for (const [id, each] of doubts) {
      if (each > now) break;
      doubts.delete(id);
    }
  }

  function clearTimer(subscriptionId: SubscriptionId): void {
    clearTimeout(timers.get(subscriptionId));
    timers.delete(subscriptionId);
  }

  function isIdle(now: number): boolean {
    return loops.size() === 0 && timers.size === 0 && now - workedAt > deps.lineLingerMs;
  }

  /** Withdraws the promise to look again, then looks once more. Undefined = there is something to do after all. */
  async function rest(): Promise<LineReport | undefined> {
    renewedAt = Number.NEGATIVE_INFINITY;
    if (!(await restLine(deps.sql, line, epoch))) return again();
    await sleep(SETTLE_MS);
    const [surveyed] = await surveyLines(deps.sql, [line]);
    const dueMs = surveyed?.dueMs ?? Number.POSITIVE_INFINITY;
    if (loops.size() === 0 && dueMs > deps.lineLingerMs) return reportOf(surveyed, attempts);
    workedAt = performance.now();
    if (!(await promiseLine(deps.sql, line, epoch))) return again();
    renewedAt = workedAt;
    goOn();
    return undefined;
  }

  /**
   * While Postgres is away the line is neither at rest nor at work, and keeps its drain: `rest` is tried until there is
   * an answer.
   */
  async function restWhenPossible(): Promise<LineReport | undefined> {
    while (!mustEnd()) {
      try {
        return await rest();
      } catch (error) {
        if (!(error instanceof PostgresAwayError)) throw error;
        await latch.wait(RENEW_MS);
      }
    }
    return again();
  }

  const again = (): LineReport => ({ next: { kind: 'again' }, attempts, holding: null });

  async function work(): Promise<LineReport> {
    for (;;) {
      const now = performance.now();
      if (mustEnd() || (now - beganAt > WISH_TO_END_MS && isQuiet())) return again();
      if (handover.decide()) return again();
      isResting = isIdle(now);
      const report = isResting ? await restWhenPossible() : undefined;
      isResting = false;
      if (report) return report;
      await latch.wait(nextLookMs(now));
    }
  }

  /** How long until something changes by itself; everything else signals the latch. */
  function nextLookMs(now: number): number {
    if (handover.isUndecided()) return OFFERED_CHECK_MS;
    const untilWish = beganAt + WISH_TO_END_MS - now;
    if (untilWish <= 0) return CHECK_MS;
    if (loops.size() > 0 || timers.size > 0) return untilWish + 1;
    return Math.max(1, Math.min(untilWish, workedAt + deps.lineLingerMs - now) + 1);
  }

  function isQuiet(): boolean {
    return loops.values().every((each) => each.isQuiet());
  }

  function oldestMs(): number {
    const now = performance.now();
    let oldest = now;
    for (const loop of loops.values()) oldest = Math.min(oldest, loop.oldestSince() ?? now);
    return now - oldest;
  }

  function goOn(): void {
    for (const loop of loops.values()) loop.resume();
  }

  async function drained(): Promise<void> {
    ending.abort();
    for (const timer of timers.values()) clearTimeout(timer);
    while (loops.size() > 0) await latch.wait(CHECK_MS);
  }

  return {
    number: line,
    epoch,
    async run() {
      stopping.addEventListener('abort', latch.signal);
      aborting.addEventListener('abort', abort);
      if (aborting.aborted) abort();
      let report = again();
      try {
        report = await work();
      } finally {
        await drained();
        stopping.removeEventListener('abort', latch.signal);
        aborting.removeEventListener('abort', abort);
      }
      return { ...report, attempts };
    },
    wake,
    wakeIn(subscriptionId, ms) {
      // A running drain knows by itself what is due soon.
      if (loops.get(subscriptionId) || ending.signal.aborted) return;
      clearTimer(subscriptionId);
      timers.set(
        subscriptionId,
        setTimeout(() => wake(subscriptionId), ms),
      );
    },
    renewed(at) {
      // While the promise is withdrawn another drain of the line may begin.
      if (isResting) return;
      const wasSure = isSure();
      renewedAt = at;
      if (!wasSure) goOn();
    },
    supersede() {
      isSuperseded = true;
      abort();
    },
    size: () => loops.size(),
    isEnding: () => ending.signal.aborted || mustEnd(),
    isGivingUp: () => givingUp.signal.aborted,
    offerable: () => (ending.signal.aborted ? 'held' : handover.offerable()),
    offer() {
      handover.offer();
      latch.signal();
    },
    isLetGo: () => handover.isLetGo(),
  };
}

function reportOf(surveyed: SurveyedLine | undefined, attempts: number): LineReport {
  if (!surveyed) return { next: { kind: 'idle' }, attempts, holding: null };
  const { line: _line, dueMs, ...holding } = surveyed;
  // Deliveries of a disabled subscription become due when it is enabled, and that wakes the line.
  if (dueMs === null) return { next: { kind: 'idle' }, attempts, holding };
  return { next: { kind: 'due_later', ms: Math.ceil(dueMs) }, attempts, holding };
}
