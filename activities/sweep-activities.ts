import type { Sql } from '../src/db/client';
import { removeExpiredAppTasks } from '../src/db/app-tasks';
import { discardExpiredDeliveries, removeExpiredDeliveries } from '../src/db/deliveries';
import { removeUnusedDocuments } from '../src/db/documents';
import { removeExpiredKeys } from '../src/db/idempotency';
import { removeExpiredImageVerdicts } from '../src/db/image-verdicts';
import { removeExpiredPosRequests } from '../src/db/pos-requests';
import { removeExpiredUploads } from '../src/db/uploads';
import type { Log } from '../src/log';
import type { EntityKind } from '../src/queue/entity-kind';
import { menuKind } from '../src/queue/menu-kind';
import type { Nudger } from '../src/queue/nudger';
import { webhookKind } from '../src/queue/webhook-kind';

export interface SweepDeps {
  readonly sql: Sql;
  readonly nudger: Nudger;
  readonly log: Log;
  readonly retentionDays: number;
}

/** Keys nudged, and rows removed, in one round: a sweep is short and comes again soon. */
const BATCH = 500;

export function createSweepActivities({ sql, nudger, log, retentionDays }: SweepDeps) {
  async function sweepKind<Key>(kind: EntityKind<Key>): Promise<number> {
    const keys = await kind.takeOverdue(sql, BATCH);
    await Promise.all(keys.map((key) => nudger.nudge(kind, key, false)));
    if (keys.length > 0) log.warn({ kind: kind.name, swept: keys.length }, 'nudges were lost');
    return keys.length;
  }

  return {
    /** Nudges every key with overdue rows that nobody is at work on; how many. */
    async nudgeOverdue(): Promise<number> {
      const [menus, webhooks] = await Promise.all([sweepKind(menuKind), sweepKind(webhookKind)]);
      return menus + webhooks;
    },

    /** Removes what has had its time, a batch of each. */
    async removeExpired(): Promise<void> {
      await removeExpiredKeys(sql, BATCH);
      await removeExpiredUploads(sql, retentionDays, BATCH);
      await removeUnusedDocuments(sql, BATCH);
      await removeExpiredImageVerdicts(sql, BATCH);
      await removeExpiredAppTasks(sql, retentionDays, BATCH);
      await discardExpiredDeliveries(sql, retentionDays, BATCH);
      await removeExpiredDeliveries(sql, retentionDays, BATCH);
      await removeExpiredPosRequests(sql, retentionDays, BATCH);
    },
  };
}

export type SweepActivities = ReturnType<typeof createSweepActivities>;
