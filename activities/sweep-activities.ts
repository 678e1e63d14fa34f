import type { Sql } from '../src/db/client';
import { removeExpiredAppTasks } from '../src/db/app-tasks';
import { discardExpiredDeliveries, removeExpiredDeliveries } from '../src/db/deliveries';
import { discardOrdered, removeDoneDiscards } from '../src/db/discards';
import { removeUnusedDocuments } from '../src/db/documents';
import { removeExpiredKeys } from '../src/db/idempotency';
import { removeExpiredImageVerdicts } from '../src/db/image-verdicts';
import { removeExpiredPosRequests } from '../src/db/pos-requests';
import { purgeExpiredStores, removeExpiredSystems } from '../src/db/store-purge';
import { removeExpiredUploads, type UploadPlace } from '../src/db/uploads';
import type { Log } from '../src/log';
import type { EntityKind } from '../src/queue/entity-kind';
import { menuKind } from '../src/queue/menu-kind';
import type { Nudger } from '../src/queue/nudger';
import { webhookKind } from '../src/queue/webhook-kind';
import { type ExpiringKind, removeExpiredRows } from '../src/retention';

export interface SweepDeps {
  readonly sql: Sql;
  readonly nudger: Nudger;
  readonly log: Log;
  readonly retentionDays: number;
}

/** Keys nudged in one round: a sweep is short and comes again soon. */
const BATCH = 500;

export function createSweepActivities({ sql, nudger, log, retentionDays }: SweepDeps) {
  const kinds = expiringKinds(sql, retentionDays);

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

    /** Removes what has had its time, for some seconds at most. */
    async removeExpired(): Promise<void> {
      await removeExpiredRows({ kinds, log });
    },
  };
}

/** Each is looked at from its old end, and none waits for another. */
export function expiringKinds(sql: Sql, days: number): readonly ExpiringKind[] {
  const uploads = createUploadRemoval(sql, days);
  return [
    { name: 'idempotency keys', removeSome: (limit) => removeExpiredKeys(sql, limit) },
    { name: 'uploads', removeSome: uploads },
    { name: 'documents', removeSome: (limit) => removeUnusedDocuments(sql, days, limit) },
    { name: 'image verdicts', removeSome: (limit) => removeExpiredImageVerdicts(sql, limit) },
    { name: 'app tasks', removeSome: (limit) => removeExpiredAppTasks(sql, days, limit) },
    { name: 'ordered discards', removeSome: (limit) => discardOrdered(sql, limit) },
    { name: 'discard orders', removeSome: (limit) => removeDoneDiscards(sql, limit) },
    {
      name: 'waiting deliveries',
      removeSome: (limit) => discardExpiredDeliveries(sql, days, limit),
    },
    { name: 'deliveries', removeSome: (limit) => removeExpiredDeliveries(sql, days, limit) },
    { name: 'stores', removeSome: (limit) => purgeExpiredStores(sql, days, limit) },
    { name: 'inventory systems', removeSome: (limit) => removeExpiredSystems(sql, days, limit) },
    { name: 'POS requests', removeSome: (limit) => removeExpiredPosRequests(sql, days, limit) },
  ];
}

/** What was live when it was looked at is looked at again after that time. */
const UPLOADS_AGAIN_MS = 60 * 60_000;

function createUploadRemoval(sql: Sql, days: number): ExpiringKind['removeSome'] {
  let from: UploadPlace | undefined;
  let againAt = performance.now() + UPLOADS_AGAIN_MS;
  return async (limit) => {
    if (performance.now() > againAt) {
      from = undefined;
      againAt = performance.now() + UPLOADS_AGAIN_MS;
    }
    const { looked, upTo } = await removeExpiredUploads(sql, days, limit, from);
    from = upTo ?? from;
    return looked;
  };
}

export type SweepActivities = ReturnType<typeof createSweepActivities>;
