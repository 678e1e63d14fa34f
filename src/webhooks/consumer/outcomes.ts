import { setTimeout as delay } from 'node:timers/promises';
import type { AtCheckpoint } from '../../platform/checkpoint';
import type { Sql } from '../../platform/db/client';
import {
  type AttemptOutcome,
  type HealthChange,
  type OutcomeBatch,
  recordOutcomes,
  recordWithoutAttempt,
  type ReleasedDelivery,
} from '../sql/delivery-outcomes';
import type { Log } from '../../platform/observe/log';
import type { AttemptResult, WebhookMetrics } from '../webhook-metrics';
import { createSharedStatements } from '../../platform/db/shared-statements';
import { sqlState } from '../../platform/db/is-data-refused';
import {
  PARKED_WAITS_MS,
  parkOutcome,
  joinBatches,
  recordAllButRefused,
  type RefusedOutcome,
} from './refused-outcomes';
import { inBackground } from '../../platform/in-background';

/** What one consumer has to record; the writer takes from it for its next statement. */
export interface Outbox {
  readonly attempts: AttemptOutcome[];
  readonly released: ReleasedDelivery[];
  /** The newest health that is not recorded yet. */
  health: HealthChange | null;
  /** Called after each statement that took something from this outbox. */
  onRecorded(deliveryIds: readonly string[]): void;
}

export interface OutcomeWriter {
  /**
   * Records what is in `outbox`: soon, in one statement with those of other consumers, however long Postgres stays away.
   * Unless somebody waits for it, up to `UNAWAITED_MS` later, so that more share the statement.
   */
  record(outbox: Outbox, isAwaited: boolean): void;
}

export interface OutcomeWriterOptions {
  readonly sql: Sql;
  readonly atCheckpoint: AtCheckpoint;
  readonly log: Log;
  readonly metrics: WebhookMetrics | undefined;
  /** See `ParkingDeps`. */
  readonly parkedWaitsMs?: readonly number[];
}

const LANES = 2;
const MAX_PARTIES = 100;
const MOST_ROWS = 400;
const LONGEST_PAUSE_MS = 1_000;
/** A worker that is killed within this time leaves what has arrived to be sent again. Decision 0042 has the figures. */
const UNAWAITED_MS = 25;

/**
 * Records outcomes of all consumers of a process, batching those that end at the same time. A row that Postgres rejects
 * is found and parked, and the others are recorded at once. After any other failure all are retried, half as many at
 * a time: a statement that is too slow would hit its deadline every time.
 */
export function createOutcomeWriter(options: OutcomeWriterOptions): OutcomeWriter {
  const { sql, atCheckpoint, log, metrics } = options;
  const statements = createSharedStatements<Outbox>({ lanes: LANES, maxParties: MAX_PARTIES, run });
  let rows = MOST_ROWS;
  let failures = 0;

  async function run(outboxes: readonly Outbox[]): Promise<void> {
    const share = Math.max(1, Math.ceil(rows / outboxes.length));
    const parts = outboxes.slice(0, rows).map((outbox) => takePart(outbox, share));
    try {
      await atCheckpoint('consumer:before-record');
      const refused = await recordAllButRefused(
        (batch) => recordOutcomes(sql, batch),
        joinBatches(parts),
      );
      failures = 0;
      rows = Math.min(rows * 2, MOST_ROWS);
      const aside = new Set(refused.flatMap(({ batch }) => batch.attempts));
      for (const part of parts) tellRecorded(part, aside);
      for (const each of refused) putAside(each, parts);
    } catch (error) {
      for (const part of parts) putBack(part);
      failures += 1;
      rows = Math.max(1, Math.floor(rows / 2));
      log.warn({ err: error, failures }, 'outcomes could not be recorded; trying again');
      await delay(Math.min(50 * failures, LONGEST_PAUSE_MS));
    }
    for (const outbox of outboxes) if (!isEmpty(outbox)) statements.request(outbox);
  }

  function tellRecorded({ outbox, attempts, released }: Part, aside: Set<AttemptOutcome>): void {
    const recorded = attempts.filter((each) => !aside.has(each));
    recorded.forEach(observe);
    // A delivery that could not be released becomes free when its lease ends.
    outbox.onRecorded([...recorded, ...released].map((each) => each.deliveryId));
  }

  function observe(attempt: AttemptOutcome): void {
    metrics?.observeAttempt(resultOf(attempt), attempt.durationMs / 1000);
  }

  /** Not the error's own message: it quotes the row, which contains the receiver's answer. */
  function putAside({ batch, error }: RefusedOutcome, parts: readonly Part[]): void {
    metrics?.countRefusedOutcome();
    const [attempt] = batch.attempts;
    const row = attempt ?? batch.released[0] ?? batch.health[0];
    log.error({ ...named(row), sqlstate: sqlState(error) }, 'Postgres rejects this outcome');
    const outbox = parts.find((part) => attempt && part.attempts.includes(attempt))?.outbox;
    if (!attempt || !outbox) return;
    inBackground(park(attempt, outbox), (failure) =>
      log.error({ ...named(row), err: failure }, 'an outcome could not be parked'),
    );
  }

  async function park(attempt: AttemptOutcome, outbox: Outbox): Promise<void> {
    const parking = {
      record: (batch: OutcomeBatch) => recordOutcomes(sql, batch),
      recordWithoutAttempt: (outcome: AttemptOutcome) => recordWithoutAttempt(sql, outcome),
      waitsMs: options.parkedWaitsMs ?? PARKED_WAITS_MS,
    };
    if (await parkOutcome(parking, attempt)) observe(attempt);
    else
      log.error(
        { delivery_id: attempt.deliveryId },
        'an outcome could not be recorded; its delivery will be sent again',
      );
    outbox.onRecorded([attempt.deliveryId]);
  }

  return {
    record: (outbox, isAwaited) => statements.request(outbox, isAwaited ? 0 : UNAWAITED_MS),
  };
}

function named(row: AttemptOutcome | ReleasedDelivery | HealthChange | undefined) {
  if (row === undefined) return {};
  return 'deliveryId' in row
    ? { delivery_id: row.deliveryId }
    : { subscription_id: row.subscriptionId };
}

function resultOf({ state }: AttemptOutcome): AttemptResult {
  return state === 'pending' ? 'retried' : state;
}

interface Part extends OutcomeBatch {
  readonly outbox: Outbox;
}

function takePart(outbox: Outbox, share: number): Part {
  const attempts = outbox.attempts.splice(0, share);
  const released = outbox.released.splice(0, share);
  const health = outbox.health === null ? [] : [outbox.health];
  outbox.health = null;
  return { outbox, attempts, released, health };
}

function putBack({ outbox, attempts, released, health: [health] }: Part): void {
  outbox.attempts.unshift(...attempts);
  outbox.released.unshift(...released);
  if (health) outbox.health = outbox.health === null ? health : laterHealth(health, outbox.health);
}

/**
 * Merges two changes of a receiver's health: the later one wins, but a disabling is reported only once and must not
 * be lost with the earlier.
 */
export function laterHealth(earlier: HealthChange, later: HealthChange): HealthChange {
  if (earlier.healthVersion !== later.healthVersion) return later;
  return { ...later, disable: earlier.disable ?? later.disable };
}

function isEmpty({ attempts, released, health }: Outbox): boolean {
  return attempts.length === 0 && released.length === 0 && health === null;
}
