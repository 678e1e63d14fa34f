import {
  type ChangePosition,
  removeExpiredChanges,
  removeExpiredLevels,
} from '../src/availability/sql/change-retention';
import { purgeExpiredStores, removeExpiredSystems } from '../src/deletions/sql/store-purge';
import { removeExpiredImageVerdicts } from '../src/delivery-apps/images/image-verdicts';
import { removeExpiredFindings } from '../src/drift/sql/drift-checks';
import { removeEndedSessions } from '../src/console/sql/sessions';
import { removeExpiredKeys } from '../src/http/sql/idempotency';
import { removeExpiredPosRequests } from '../src/inventory/sql/pos-requests';
import type { Sql } from '../src/platform/db/client';
import type { ExpiringKind } from '../src/platform/db/remove-expired-rows';
import { removeExpiredRollouts } from '../src/rollouts/sql/rollouts';
import { removeExpiredAppTasks } from '../src/uploads/sql/app-tasks';
import { removeUnusedDocuments } from '../src/uploads/sql/documents';
import { removeExpiredUploads, type UploadPosition } from '../src/uploads/sql/upload-retention';
import { removeExpiredSignInLinks } from '../src/users/sql/sign-in-links';
import {
  discardExpiredDeliveries,
  removeExpiredDeliveries,
} from '../src/webhooks/sql/delivery-retention';
import { discardOrdered, removeDoneDiscards } from '../src/webhooks/sql/discards';
import { keepEndedPartitions } from '../src/webhooks/sql/ended-partitions';

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
    { name: 'console sessions', removeSome: (limit) => removeEndedSessions(sql, limit) },
    { name: 'sign-in links', removeSome: (limit) => removeExpiredSignInLinks(sql, limit) },
    { name: 'rollout targets', removeSome: (limit) => removeExpiredRollouts(sql, days, limit) },
    { name: 'uploads', removeSome: uploads },
    { name: 'changes', removeSome: changes },
    { name: 'stock levels', removeSome: (limit) => removeExpiredLevels(sql, days, limit) },
    { name: 'drift findings', removeSome: (limit) => removeExpiredFindings(sql, days, limit) },
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
const QUIET_ROUNDS = 30;

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
