import { storeAvailabilityWorkflow } from '../src/availability/queue';
import { setTimeout as delay } from 'node:timers/promises';
import { cancellationSignal } from '@temporalio/activity';
import type { Sql } from '../src/platform/db/client';
import type { Log } from '../src/platform/observe/log';
import {
  SWEPT_KINDS,
  type SweptKind,
  type WorkflowKind,
} from '../src/platform/queue/workflow-kind';
import { sweptChecks } from '../src/drift/queue';
import { menuRolloutWorkflow } from '../src/rollouts/queue';
import { menuPublicationWorkflow } from '../src/uploads/queue';
import type { Waker } from '../src/platform/queue/waker';
import { webhookShardWorkflow } from '../src/webhooks/queue';
import { createOutageLog } from '../src/platform/observe/outage-log';
import { removeExpiredRows } from '../src/platform/db/remove-expired-rows';
import type { Metrics } from '../src/metrics/types';
import { expiringKinds, restWhenQuiet } from './retention-kinds';
import { settleOverdueMovements } from './overdue-movements';
import { withHeartbeat } from './with-heartbeat';

export interface SweepDeps {
  readonly sql: Sql;
  readonly waker: Waker;
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
  /** Keys with overdue rows without a lease. */
  readonly woken: number;
}

/** Keys woken per round: a round is short, and the next one follows soon. */
const BATCH = 500;
const EVERY_MS = 10_000;
const HOUR_MS = 3_600_000;
/** The server gets only some of the beats, because each costs it 2 ms. */
const HEARTBEAT_MS = 4_000;

export function createSweepActivities(deps: SweepDeps) {
  const { sql, waker, log, retentionDays, everyMs = EVERY_MS } = deps;
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
    await Promise.all(keys.map((key) => waker.wake(kind, key, false)));
    if (keys.length > 0)
      log.warn(
        { kind: kind.name, swept: keys.length },
        'rows were overdue; their workflows were woken',
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

  /** By kind. */
  const sweeps: Readonly<Record<SweptKind, () => Promise<number>>> = {
    menu: () => sweepKind(menuPublicationWorkflow),
    availability: () => sweepKind(storeAvailabilityWorkflow),
    rollout: () => sweepKind(menuRolloutWorkflow),
    check: () => sweepKind(checks),
    webhooks: () => sweepKind(webhookShardWorkflow),
  };

  /**
   * One round: wakes every key with overdue rows without a lease, applies movements and removes expired rows, for a few
   * seconds at most. Returns how many keys it woke. An outage of Postgres costs the round, not the sweep. One kind after
   * the other: five statements at once wake five processes of Postgres each round, where nearly always nothing is
   * overdue.
   */
  async function sweepOnce(): Promise<number> {
    const woken: Partial<Record<SweptKind, number>> = {};
    for (const kind of SWEPT_KINDS) {
      const count = await tryPart(sweeps[kind]);
      if (count !== undefined) woken[kind] = count;
    }
    const counts = Object.values(woken);
    // Each further part would wait for Postgres, too.
    if (counts.length === 0) return 0;
    const isWhole = counts.length === SWEPT_KINDS.length;
    // An alert tells when no round was whole for too long.
    if (isWhole) deps.metrics?.observeSweep(woken);
    const settled = await tryPart(() => settleOverdueMovements(deps));
    const removed = await tryPart(() =>
      removeExpiredRows({ kinds, log, onRound: deps.metrics?.countRemoved }),
    );
    if (isWhole && settled !== undefined && removed !== undefined) outage.over();
    return counts.reduce((sum, count) => sum + count, 0);
  }

  return {
    /**
     * Sweeps every ten seconds, for an hour or until this process stops. One activity rather than one per round,
     * which would be a run, or a dozen events, every ten seconds.
     */
    async sweepForAnHour(): Promise<SweepReport> {
      const ending = AbortSignal.any([deps.stopping, cancellationSignal()]);
      const endAt = performance.now() + HOUR_MS;
      let [rounds, woken] = [0, 0];
      const sweep = async (): Promise<SweepReport> => {
        while (!ending.aborted && performance.now() < endAt) {
          const nextAt = performance.now() + everyMs;
          woken += await sweepOnce();
          rounds += 1;
          const pauseMs = Math.max(0, nextAt - performance.now());
          await delay(pauseMs, undefined, { signal: ending }).catch(() => {});
        }
        return { rounds, woken };
      };
      const details = () => ({ rounds, woken });
      return withHeartbeat(sweep, { everyMs: HEARTBEAT_MS, details });
    },
  };
}

export type SweepActivities = ReturnType<typeof createSweepActivities>;
