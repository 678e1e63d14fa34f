import { storeAvailabilityWorkflow } from '../src/availability/store-availability-workflow';
import {
  type ChangePosition,
  removeExpiredChanges,
  removeExpiredLevels,
} from '../src/availability/sql/change-retention';
import { setTimeout as delay } from 'node:timers/promises';
import { cancellationSignal } from '@temporalio/activity';
import type { Sql } from '../src/platform/db/client';
import { removeExpiredAppTasks } from '../src/uploads/sql/app-tasks';
import {
  discardExpiredDeliveries,
  removeExpiredDeliveries,
} from '../src/webhooks/sql/delivery-retention';
import { discardOrdered, removeDoneDiscards } from '../src/webhooks/sql/discards';
import { removeUnusedDocuments } from '../src/uploads/sql/documents';
import { keepEndedPartitions } from '../src/webhooks/sql/ended-partitions';
import { removeExpiredKeys } from '../src/http/sql/idempotency';
import { removeExpiredImageVerdicts } from '../src/delivery-apps/images/image-verdicts';
import { removeExpiredPosRequests } from '../src/inventory/sql/pos-requests';
import { purgeExpiredStores, removeExpiredSystems } from '../src/deletions/sql/store-purge';
import { removeExpiredUploads, type UploadPosition } from '../src/uploads/sql/upload-retention';
import type { Log } from '../src/platform/observe/log';
import type { WorkflowKind } from '../src/platform/queue/workflow-kind';
import { sweptChecks } from '../src/drift/drift-check-workflow';
import { menuRolloutWorkflow } from '../src/rollouts/menu-rollout-workflow';
import { removeExpiredRollouts } from '../src/rollouts/sql/rollouts';
import { menuPublicationWorkflow } from '../src/uploads/menu-publication-workflow';
import type { Nudger } from '../src/platform/queue/nudger';
import { webhookLineWorkflow } from '../src/webhooks/lines/webhook-line-workflow';
import { createOutageLog } from '../src/platform/observe/outage-log';
import { type ExpiringKind, removeExpiredRows } from '../src/platform/db/remove-expired-rows';
import type { Metrics } from '../src/metrics/types';
import { settleOverdueMovements } from './overdue-movements';
import { withHeartbeat } from './with-heartbeat';

export interface SweepDeps {
  readonly sql: Sql;
  readonly nudger: Nudger;
  readonly log: Log;
  readonly retentionDays: number;
  /** Interval of scheduled checks of live menus, ms; null = checks only on request. */
  readonly driftCheckEvery?: number | null;
  /** Aborted when this process must stop. */
  readonly stopping: AbortSignal;
  readonly metrics?: Pick<Metrics, 'observeSweep' | 'countRemoved'> | undefined;
  /** From the start of a round to the start of the next, ms. */
  readonly everyMs?: number;
}

/** The work of the sweep in its hour, or until its worker stopped. */
export interface SweepReport {
  readonly rounds: number;
  /** Keys with overdue rows whose workflow was not alive. */
  readonly nudged: number;
}

/** Keys nudged per round: a round is short, and the next one follows soon. */
const BATCH = 500;
const EVERY_MS = 10_000;
const HOUR_MS = 3_600_000;
/** The server gets only some of the beats, because each costs it 2 ms. */
const HEARTBEAT_MS = 4_000;

export function createSweepActivities(deps: SweepDeps) {
  const { sql, nudger, log, retentionDays, everyMs = EVERY_MS } = deps;
  const outage = createOutageLog(log, {
    begun: 'the sweep fails; trying again',
    over: 'the sweep works again',
  });
  const kinds = expiringKinds(sql, retentionDays).map(restWhenQuiet);
  const checks = sweptChecks({ DRIFT_CHECK_EVERY: deps.driftCheckEvery ?? null });
  const nothing = kinds.map(({ name }) => ({ name, rows: 0 }));
  // So that each kind has its series before the first round.
  deps.metrics?.countRemoved({ kinds: nothing, left: false, failed: 0 });

  async function sweepKind<Key>(kind: WorkflowKind<Key>): Promise<number> {
    const keys = await kind.takeOverdue(sql, BATCH);
    await Promise.all(keys.map((key) => nudger.nudge(kind, key, false)));
    if (keys.length > 0)
      log.warn(
        { kind: kind.name, swept: keys.length },
        'rows were overdue; their workflows were nudged',
      );
    return keys.length;
  }

  /** Runs a part of a round. Undefined = it failed, and is tried again in the next round; the other parts go on. */
  async function tryPart<T>(part: () => Promise<T>): Promise<T | undefined> {
    try {
      return await part();
    } catch (error) {
      outage.failed(error);
      return undefined;
    }
  }

  /** Nudges every key with overdue rows whose workflow is not alive; returns how many of each kind. */
  async function nudgeOverdue() {
    const [menu, availability, rollout, check, webhook] = await Promise.all([
      tryPart(() => sweepKind(menuPublicationWorkflow)),
      tryPart(() => sweepKind(storeAvailabilityWorkflow)),
      tryPart(() => sweepKind(menuRolloutWorkflow)),
      tryPart(() => sweepKind(checks)),
      tryPart(() => sweepKind(webhookLineWorkflow)),
    ]);
    return { menu, availability, rollout, check, webhook };
  }

  /**
   * One round: nudges, applies movements and removes expired rows, for a few seconds at most. Returns how many keys it
   * nudged. An outage of Postgres costs the round, not the sweep.
   */
  async function sweepOnce(): Promise<number> {
    const swept = await nudgeOverdue();
    const { menu = 0, availability = 0, rollout = 0, check = 0, webhook = 0 } = swept;
    const failed = Object.values(swept).filter((count) => count === undefined).length;
    // Each further part would wait for Postgres, too.
    if (failed === Object.keys(swept).length) return 0;
    // An alert tells when no round was whole for too long.
    if (failed === 0) deps.metrics?.observeSweep({ menu, availability, rollout, check, webhook });
    const settled = await tryPart(() => settleOverdueMovements(deps));
    const removed = await tryPart(() =>
      removeExpiredRows({ kinds, log, onRound: deps.metrics?.countRemoved }),
    );
    if (failed === 0 && settled !== undefined && removed !== undefined) outage.over();
    return menu + availability + rollout + check + webhook;
  }

  return {
    /**
     * Sweeps every ten seconds, for an hour or until this process stops. One activity rather than one per round,
     * which would be a run, or a dozen events, every ten seconds.
     */
    async sweepForAnHour(): Promise<SweepReport> {
      const ending = AbortSignal.any([deps.stopping, cancellationSignal()]);
      const endAt = performance.now() + HOUR_MS;
      let [rounds, nudged] = [0, 0];
      const sweep = async (): Promise<SweepReport> => {
        while (!ending.aborted && performance.now() < endAt) {
          const nextAt = performance.now() + everyMs;
          nudged += await sweepOnce();
          rounds += 1;
          const pauseMs = Math.max(0, nextAt - performance.now());
          await delay(pauseMs, undefined, { signal: ending }).catch(() => {});
        }
        return { rounds, nudged };
      };
      const details = () => ({ rounds, nudged });
      return withHeartbeat(sweep, { everyMs: HEARTBEAT_MS, details });
    },
  };
}

/** The kinds of rows that expire. Each is read from its old end, and none waits for another. */
export function expiringKinds(sql: Sql, days: number): readonly ExpiringKind[] {
  const uploads = fromPositionToPosition((limit, from?: UploadPosition) =>
    removeExpiredUploads(sql, days, limit, from),
  );
  const changes = fromPositionToPosition((limit, from?: ChangePosition) =>
    removeExpiredChanges(sql, days, limit, from),
  );
  return [
    { name: 'idempotency keys', removeSome: (limit) => removeExpiredKeys(sql, limit) },
    { name: 'rollout targets', removeSome: (limit) => removeExpiredRollouts(sql, days, limit) },
    { name: 'uploads', removeSome: uploads },
    { name: 'changes', removeSome: changes },
    { name: 'stock levels', removeSome: (limit) => removeExpiredLevels(sql, days, limit) },
    { name: 'documents', removeSome: (limit) => removeUnusedDocuments(sql, days, limit) },
    { name: 'image verdicts', removeSome: (limit) => removeExpiredImageVerdicts(sql, limit) },
    { name: 'app tasks', removeSome: (limit) => removeExpiredAppTasks(sql, days, limit) },
    {
      name: 'ordered discards',
      isPrompt: true,
      removeSome: (limit) => discardOrdered(sql, limit),
    },
    { name: 'discard orders', removeSome: (limit) => removeDoneDiscards(sql, limit) },
    {
      name: 'waiting deliveries',
      removeSome: (limit) => discardExpiredDeliveries(sql, days, limit),
    },
    { name: 'partitions of deliveries', removeSome: createPartitionUpkeep(sql, days) },
    { name: 'deliveries', removeSome: (limit) => removeExpiredDeliveries(sql, days, limit) },
    { name: 'stores', removeSome: createStorePurge(sql, days) },
    { name: 'inventory systems', removeSome: (limit) => removeExpiredSystems(sql, days, limit) },
    { name: 'POS requests', removeSome: (limit) => removeExpiredPosRequests(sql, days, limit) },
  ];
}

/** Rounds from one that found nothing of a kind to the next that looks. */
const QUIET_ROUNDS = 6;

/** Rows expire by the day, so a kind that has none now need not be looked for in each round. */
export function restWhenQuiet(kind: ExpiringKind): ExpiringKind {
  if (kind.isPrompt) return kind;
  let restsFor = 0;
  return {
    ...kind,
    async removeSome(limit) {
      restsFor -= 1;
      if (restsFor > 0) return 0;
      const looked = await kind.removeSome(limit);
      restsFor = looked === 0 ? QUIET_ROUNDS : 0;
      return looked;
    },
  };
}

/** A day's partition is made days ahead and dropped at the end of a day, so there is no hurry. */
const PARTITIONS_AGAIN_MS = 10 * 60_000;

function createPartitionUpkeep(sql: Sql, days: number): ExpiringKind['removeSome'] {
  let againAt = 0;
  return async () => {
    if (performance.now() < againAt) return 0;
    const dropped = await keepEndedPartitions(sql, days);
    if (dropped !== undefined) againAt = performance.now() + PARTITIONS_AGAIN_MS;
    return dropped ?? 0;
  };
}

/** Rows that were in use when they were checked are checked again after this time. */
const IN_USE_AGAIN_MS = 60 * 60_000;

/** Rows in use accumulate at the old end, so each call of `remove` continues from where the one before it ended. */
function fromPositionToPosition<Position>(
  remove: (limit: number, from?: Position) => Promise<{ looked: number; upTo: Position | null }>,
): ExpiringKind['removeSome'] {
  let from: Position | undefined;
  let againAt = performance.now() + IN_USE_AGAIN_MS;
  return async (limit) => {
    if (performance.now() > againAt) {
      from = undefined;
      againAt = performance.now() + IN_USE_AGAIN_MS;
    }
    const { looked, upTo } = await remove(limit, from);
    from = upTo ?? from;
    return looked;
  };
}

/** Stores that could not be removed are tried again after this time. */
const STORES_AGAIN_MS = 60 * 60_000;

function createStorePurge(sql: Sql, days: number): ExpiringKind['removeSome'] {
  const failed = new Set<number>();
  let againAt = performance.now() + STORES_AGAIN_MS;
  return (limit) => {
    if (performance.now() > againAt) {
      failed.clear();
      againAt = performance.now() + STORES_AGAIN_MS;
    }
    return purgeExpiredStores(sql, days, limit, failed);
  };
}

export type SweepActivities = ReturnType<typeof createSweepActivities>;
