import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { type AtCheckpoint, noCheckpoints } from '../../platform/checkpoint';
import type { Bounds } from '../../platform/config/bounds';
import type { Sql } from '../../platform/db/client';
import { PostgresAwayError } from '../../platform/db/connection/postgres-away-error';
import type { Announcement, LineAsleep } from '../sql/announcements';
import { beginLine, type LineRefusal, offerLine, restLine } from '../sql/line-promises';
import type { LineHolding, LineReport } from '../lines/line-report';
import type { RetryTable } from '../attempt/next-attempt';
import type { Log } from '../../platform/observe/log';
import type { WebhookMetrics } from '../webhook-metrics';
import { createOwnFaults, type OwnFaults } from '../../platform/outbound/own-faults';
import type { OutboundClient } from '../../platform/outbound/types';
import type { SecretBox } from '../../platform/crypto/secrets';
import { createClaimer } from './claimer';
import { createDatabaseClock, type DatabaseClock } from '../../platform/db/database-clock';
import { type Begun, createLineDrain, type LineDrain, type LineDrainDeps } from './line-drain';
import { startLineWatch } from './line-watch';
import { createDrainsAhead } from './drains-ahead';
import { createLineShare } from './line-share';
import { createLineSurvey } from './line-survey';
import { createOutcomeWriter } from './outcome-writer';
import { longestAttemptMs, createUnhurriedAnswers } from '../attempt/send-attempt';
import { createPayloadBudget } from './payload-budget';

export interface DrainsDeps {
  /** For statements about a single line. */
  readonly sql: Sql;
  /** For statements that all lines share, so that they never queue behind those of one line. */
  readonly sharedSql: Sql;
  /** For the promises of lines, which must not wait for anything else. Defaults to `sql`. */
  readonly watchSql?: Sql;
  readonly http: OutboundClient;
  /** That of the process, which `http` tells of what fails. */
  readonly ownFaults?: OwnFaults | undefined;
  /** That of the process. */
  readonly clock?: DatabaseClock | undefined;
  readonly secrets: SecretBox;
  readonly log: Log;
  readonly atCheckpoint?: AtCheckpoint;
  /** How long a line with nothing to send keeps listening, ms. */
  readonly lingerMs?: number;
  /** The drain of this line, with this epoch, is dead or frozen: another one must begin. */
  readonly onLapsed?: (line: number, epoch: number) => void;
  readonly metrics?: WebhookMetrics | undefined;
  readonly bounds?: Bounds | undefined;
  readonly settings: {
    readonly WEBHOOK_TIMEOUT: number;
    /** Bytes. */
    readonly WEBHOOK_MEMORY: number;
    readonly WEBHOOK_RETRY_SCHEDULE: RetryTable;
  };
}

/** The delivery side of webhooks in one process. */
export interface Drains {
  /**
   * Delivers for the subscriptions of a line while there is anything to do. Begins when no other drain has the line;
   * a drain that this process began ahead of its activity (`wakeAsleep`) is this one's from now on.
   * Aborting `signal` ends it as `stop` does: the canceller may be wrong in thinking it dead, and requests in flight
   * would be sent twice.
   */
  drainLine(line: number, signal: AbortSignal): Promise<LineReport>;
  /** Deliveries of a subscription were announced. */
  wake(announcement: Announcement): void;
  /**
   * Deliveries were committed in a line that had no drain. If this process alone takes lines, it begins one at once:
   * the activity of the line's workflow comes later, by as much as Temporal and a busy machine need.
   */
  wakeAsleep(asleep: Pick<LineAsleep, 'line' | 'subscriptionId'>): void;
  /** Announcements may have been missed. */
  wakeAll(): void;
  /** Subscriptions of a line that currently have deliveries. */
  countActive(line: number): number;
  /** See `LineSurvey`. */
  readonly holdingOf: (line: number) => LineHolding | null;
  /** Whether this process takes lines from now on; if not, its share goes to the others. */
  setPolling(isPolling: boolean): void;
  /** No drain claims any more; requests in flight get `STOP_GRACE_MS`, then they are aborted. */
  stop(): void;
  /** Call after `stop`, when all drains have ended. */
  close(): Promise<void>;
}

/** A lease outlives the longest attempt by this much, to allow for recording it and for clock differences. */
const LEASE_MARGIN_MS = 10_000;
/**
 * A delivery whose line is active takes milliseconds. Starting a line costs about 50 ms of CPU in Temporal and the
 * worker, as much as two seconds of its heartbeats.
 */
const LINGER_MS = 30_000;
const UNHURRIED_ANSWERS = 2_000;
/** How often a drain checks whether it can begin, while another one has its line. */
const STANDBY_MS = 250;
/** After this time, a worker that has its share of the lines lets Temporal look for another one. */
const HAND_ON_MS = 100;
/**
 * While Postgres is away this process tries for so long to begin a line, because Temporal would ask again ever later.
 * Then Temporal may give the line to another worker, whose Postgres perhaps answers.
 */
const BEGIN_TRIES_MS = 10_000;
const STOP_GRACE_MS = 6_000;

export function createDrains(deps: DrainsDeps): Drains {
  const { sql, sharedSql, log, atCheckpoint = noCheckpoints, settings } = deps;
  const timeoutMs = settings.WEBHOOK_TIMEOUT;
  const leaseMs = longestAttemptMs(timeoutMs) + LEASE_MARGIN_MS;
  const lines = new Map<number, LineDrain>();
  const stopping = new AbortController();
  const aborting = new AbortController();
  setMaxListeners(0, stopping.signal, aborting.signal); // one per line
  const { clock = createDatabaseClock() } = deps;
  const worker = randomUUID();
  const share = createLineShare();
  const watch = startLineWatch({
    worker,
    share,
    sql: deps.watchSql ?? sql,
    log,
    clock,
    lines,
    onLapsed(line, epoch) {
      beginAhead(line);
      deps.onLapsed?.(line, epoch);
    },
  });
  const survey = createLineSurvey({ sql, lines });
  const lineDeps: LineDrainDeps = {
    sql,
    log,
    atCheckpoint,
    clock,
    lineLingerMs: deps.lingerMs ?? LINGER_MS,
    secrets: deps.secrets,
    ownFaults: deps.ownFaults ?? createOwnFaults({ log }),
    claim: createClaimer({ sql: sharedSql, leaseMs }),
    writer: createOutcomeWriter({ sql: sharedSql, atCheckpoint, log, metrics: deps.metrics }),
    attempts: {
      http: deps.http,
      timeoutMs,
      unhurried: createUnhurriedAnswers(UNHURRIED_ANSWERS),
      now: clock.now,
    },
    retryTable: settings.WEBHOOK_RETRY_SCHEDULE,
    budget: createPayloadBudget(settings.WEBHOOK_MEMORY, deps.bounds),
  };

  const ahead = createDrainsAhead({ begin: tryBegin, hold, lines, log });
  let [beginning, isPolling] = [0, false];

  function setPolling(polls: boolean): void {
    isPolling = polls;
    watch.setPolling(polls);
  }

  /** Only where the activity will come to this process too: elsewhere it would wait for as long as there is traffic. */
  function beginAhead(line: number): void {
    if (isPolling && share.isAlone()) ahead.begin(line);
  }

  async function tryBegin(line: number): Promise<Begun | LineRefusal> {
    const hasRoom = share.hasRoom(lines.size + beginning);
    beginning += 1;
    const begunAt = performance.now();
    try {
      const begun = await beginLine(sql, line, { worker, hasRoom });
      return typeof begun === 'string' ? begun : { ...begun, begunAt };
    } finally {
      beginning -= 1;
    }
  }

  /** As `tryBegin`; while Postgres is away, it counts as taken for `BEGIN_TRIES_MS`. */
  async function beginPatiently(line: number, startedAt: number): Promise<Begun | LineRefusal> {
    return tryBegin(line).catch((error: unknown) => {
      const isPatient = performance.now() - startedAt < BEGIN_TRIES_MS;
      if (error instanceof PostgresAwayError && isPatient) return 'alive';
      throw error;
    });
  }

  async function hold(number: number, begun: Begun, signal: AbortSignal): Promise<LineReport> {
    clock.set(begun.now);
    const { epoch, begunAt } = begun;
    const grace = startGrace(signal);
    const control = {
      stopping: AbortSignal.any([stopping.signal, signal]),
      aborting: AbortSignal.any([aborting.signal, grace.isOver]),
    };
    const line = createLineDrain(lineDeps, { line: number, epoch, begunAt }, control, watch.doubt);
    // It was frozen until its promise expired, and does not know yet that it lost the line.
    lines.get(number)?.supersede();
    lines.set(number, line);
    watch.look();
    try {
      return await line.run();
    } finally {
      grace.end();
      if (lines.get(number) === line) lines.delete(number);
      // Lets the next drain begin at once; if this fails, it begins when the promise has expired.
      const end = line.isLetGo() ? offerLine : restLine;
      await end(sql, number, epoch).catch(() => {});
    }
  }

  return {
    async drainLine(number, signal) {
      const startedAt = performance.now();
      while (!stopping.signal.aborted && !signal.aborted) {
        const report = await ahead.adopt(number, signal);
        if (report) return report;
        const begun = await beginPatiently(number, startedAt);
        if (typeof begun !== 'string') return hold(number, begun, signal);
        const pauseMs = begun === 'offered' ? HAND_ON_MS : STANDBY_MS;
        await sleep(pauseMs, undefined, { signal }).catch(() => {});
        if (begun === 'offered') break;
      }
      return { next: { kind: 'again' }, attempts: 0, holding: null };
    },
    wake: ({ line, subscriptionId }) => lines.get(line)?.wake(subscriptionId),
    wakeAsleep({ line, subscriptionId }) {
      const drain = lines.get(line);
      if (!drain || drain.isEnding()) beginAhead(line);
      else if (subscriptionId) drain.wake(subscriptionId);
      else watch.look();
    },
    wakeAll: watch.look,
    countActive: (line) => lines.get(line)?.size() ?? 0,
    holdingOf: survey.holdingOf,
    setPolling,
    stop() {
      setPolling(false);
      stopping.abort();
      setTimeout(() => aborting.abort(), STOP_GRACE_MS).unref();
    },
    async close() {
      await ahead.ended();
      await watch.stop();
    },
  };
}

/** `isOver` is aborted `STOP_GRACE_MS` after `signal`. */
function startGrace(signal: AbortSignal): { readonly isOver: AbortSignal; end(): void } {
  const over = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const begin = (): void => {
    timer = setTimeout(() => over.abort(), STOP_GRACE_MS);
  };
  signal.addEventListener('abort', begin, { once: true });
  if (signal.aborted) begin();
  return {
    isOver: over.signal,
    end() {
      clearTimeout(timer);
      signal.removeEventListener('abort', begin);
    },
  };
}
