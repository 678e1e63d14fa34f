import { setTimeout as delay } from 'node:timers/promises';
import type { ReachCheckpoint } from '../checkpoint';
import type { Sql } from '../db/client';
import {
  type AttemptOutcome,
  type HealthChange,
  type OutcomeBatch,
  recordOutcomes,
  type ReleasedDelivery,
} from '../db/delivery-outcomes';
import type { Log } from '../log';
import type { AttemptResult, Metrics } from '../metrics';
import { createDueTurns } from '../db/due-turns';

/** What one drain has to record; the writer takes it from there when its turn comes. */
export interface Outbox {
  readonly attempts: AttemptOutcome[];
  readonly released: ReleasedDelivery[];
  /** The newest health that is not recorded yet. */
  health: HealthChange | null;
  /** Called after each statement that took something from here. */
  onRecorded(deliveryIds: readonly string[]): void;
}

export interface OutcomeWriter {
  /** There is something in `outbox`. It is written in time, however long Postgres stays away. */
  announce(outbox: Outbox): void;
}

export interface OutcomeWriterOptions {
  readonly sql: Sql;
  readonly reach: ReachCheckpoint;
  readonly log: Log;
  readonly metrics: Pick<Metrics, 'observeAttempt'> | undefined;
}

const LANES = 2;
const MAX_PARTIES = 100;
const MOST_ROWS = 400;
const LONGEST_PAUSE_MS = 1_000;

/**
 * Records outcomes of all drains of a process, those that ended meanwhile together. A statement that fails is tried
 * again, with half as many rows: should one row be the reason, it ends up alone and the others get through.
 */
export function createOutcomeWriter(options: OutcomeWriterOptions): OutcomeWriter {
  const { sql, reach, log, metrics } = options;
  const turns = createDueTurns<Outbox>({ lanes: LANES, maxParties: MAX_PARTIES, run });
  let rows = MOST_ROWS;
  let failures = 0;

  async function run(outboxes: readonly Outbox[]): Promise<void> {
    const share = Math.max(1, Math.ceil(rows / outboxes.length));
    const parts = outboxes.slice(0, rows).map((outbox) => takePart(outbox, share));
    try {
      await reach('drain:before-record');
      await recordOutcomes(sql, joinParts(parts));
      failures = 0;
      rows = Math.min(rows * 2, MOST_ROWS);
      for (const part of parts) {
        for (const each of part.attempts) {
          metrics?.observeAttempt(resultOf(each), each.durationMs / 1000);
        }
        part.outbox.onRecorded(part.deliveryIds);
      }
    } catch (error) {
      for (const part of parts) putBack(part);
      failures += 1;
      rows = Math.max(1, Math.floor(rows / 2));
      log.warn({ err: error, failures }, 'outcomes could not be recorded; trying again');
      await delay(Math.min(50 * failures, LONGEST_PAUSE_MS));
    }
    for (const outbox of outboxes) if (!isEmpty(outbox)) turns.request(outbox);
  }

  return { announce: (outbox) => turns.request(outbox) };
}

function resultOf({ state }: AttemptOutcome): AttemptResult {
  return state === 'pending' ? 'retried' : state;
}

interface Part extends OutcomeBatch {
  readonly outbox: Outbox;
  readonly deliveryIds: readonly string[];
}

function takePart(outbox: Outbox, share: number): Part {
  const attempts = outbox.attempts.splice(0, share);
  const released = outbox.released.splice(0, share);
  const health = outbox.health === null ? [] : [outbox.health];
  outbox.health = null;
  const deliveryIds = [...attempts, ...released].map((each) => each.deliveryId);
  return { outbox, attempts, released, health, deliveryIds };
}

function putBack({ outbox, attempts, released, health: [health] }: Part): void {
  outbox.attempts.unshift(...attempts);
  outbox.released.unshift(...released);
  if (health) outbox.health = outbox.health === null ? health : laterHealth(health, outbox.health);
}

/** What both say of a receiver: the later one, but a disabling is told once and must not get lost with the earlier. */
export function laterHealth(earlier: HealthChange, later: HealthChange): HealthChange {
  if (earlier.healthVersion !== later.healthVersion) return later;
  return { ...later, disable: earlier.disable ?? later.disable };
}

function joinParts(parts: readonly Part[]): OutcomeBatch {
  return {
    attempts: parts.flatMap((part) => part.attempts),
    released: parts.flatMap((part) => part.released),
    health: parts.flatMap((part) => part.health),
  };
}

function isEmpty({ attempts, released, health }: Outbox): boolean {
  return attempts.length === 0 && released.length === 0 && health === null;
}
