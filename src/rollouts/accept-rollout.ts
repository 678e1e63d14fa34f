import { NO_INTEGRATION } from '../uploads/usable-integration';
import { boundIdOf, type RequestIdentity } from '../http/request-identity';
import type { RequestPermits } from '../http/admission/request-permits';
import { keyLost } from '../http/idempotency-key-lost';
import type { Sql } from '../platform/db/client';
import { newId } from '../platform/ids';
import { fieldRefusal } from '../platform/validation/field-refusal';
import type { Waker } from '../platform/queue/waker';
import type { AtCheckpoint } from '../platform/checkpoint';
import { packAndFree } from '../uploads/documents';
import { requireValidMenu, TIME_ZONE_MISSING } from '../uploads/checked-menu';
import {
  actorOf,
  parseRowId,
  permissionDenied,
  PERMISSION_DENIED,
  seesMore,
} from '../users/guards';
import type { TokenOwner } from '../users/sql/users';
import type { CheckedRollout } from './rollout-body';
import { menuRolloutWorkflow } from './queue';
import {
  insertRollout,
  listTargetAccess,
  type NewTarget,
  type TargetAccess,
  type TargetPlace,
} from './sql/new-rollouts';
import type { RolloutId } from './sql/rollouts';

export interface AcceptRolloutDeps {
  readonly sql: Sql;
  readonly waker: Waker;
  readonly atCheckpoint: AtCheckpoint;
  readonly largeInserts: RequestPermits;
}

const DEFAULT_PARALLEL = 10;

type Target = CheckedRollout['targets'][number];

/**
 * The first half of a rollout: checks its menu once and the access to each target, and writes everything in one
 * statement. Throws the 422 of repeated targets and the 409 of the menu rules. A retry of a request whose process died
 * continues with the rollout that the first try made. `wakeRollout` is the second half, which needs no body.
 */
export async function acceptRollout(
  deps: AcceptRolloutDeps,
  identity: RequestIdentity,
  rollout: CheckedRollout,
): Promise<RolloutId> {
  requireNoRepeats(rollout.targets);
  const menu = requireValidMenu(rollout.menu);
  const boundId = boundIdOf(identity, 'rol');
  const rolloutId = boundId ?? newId('rol');
  identity.logged['rollout_id'] = rolloutId;
  if (!boundId) {
    const document = await packAndFree(menu.text);
    const inserted = await deps.largeInserts.run(identity.caller.userId, async () =>
      insertRollout(deps.sql, {
        rolloutId,
        userId: identity.caller.userId,
        requestId: identity.requestId,
        parallel: rollout.parallel ?? DEFAULT_PARALLEL,
        stopAfterFailures: rollout.stop_after_failures ?? 0,
        menuCount: menu.menuCount,
        document,
        sentBeside: rollout.sentBeside,
        targets: await findTargets(deps.sql, identity, rollout.targets, menu.hasSeasons),
        heldKey: identity.heldKey,
      }),
    );
    if (!inserted) throw keyLost();
  }
  identity.onRowWritten?.();
  return rolloutId;
}

/** Starts the rollout's workflow; if Temporal cannot be reached, the sweep does. */
export async function wakeRollout(
  { atCheckpoint, waker }: Pick<AcceptRolloutDeps, 'atCheckpoint' | 'waker'>,
  rolloutId: RolloutId,
): Promise<void> {
  await atCheckpoint('api:before-wake');
  await waker.wake(menuRolloutWorkflow, rolloutId, false);
}

/** Targets are compared after parsing: `1` and `"1"` are one store. */
function requireNoRepeats(targets: readonly Target[]): void {
  const seen = new Set<string>();
  const repeated = targets.flatMap(({ store_id, integration_id }, position) => {
    const key = JSON.stringify([
      parseRowId(store_id) ?? store_id,
      parseRowId(integration_id) ?? integration_id,
    ]);
    if (!seen.has(key)) {
      seen.add(key);
      return [];
    }
    return [position];
  });
  if (repeated.length === 0) return;
  const detail = 'The target is repeated.';
  throw fieldRefusal(
    repeated.map((position) => ({ code: 'invalid', pointer: `/targets/${position}`, detail })),
  );
}

async function findTargets(
  sql: Sql,
  { caller }: RequestIdentity,
  targets: readonly Target[],
  hasSeasons: boolean,
): Promise<NewTarget[]> {
  const places = targets.map(({ store_id, integration_id }, position): TargetPlace => ({
    position,
    storeId: parseRowId(store_id) ?? null,
    integrationId: parseRowId(integration_id) ?? null,
  }));
  const access = await listTargetAccess(sql, actorOf(caller), places);
  requireAnyOwn(caller, access);
  return places.map((place, position) => {
    const refusal = refusalOf(caller, access[position], hasSeasons);
    return {
      ...place,
      sent: JSON.stringify(targets[position]),
      uploadId: refusal === null ? newId('upl') : null,
      refusal,
    };
  });
}

/** Throws the 403 of a caller who sees the stores of others and has none of those of the targets. */
function requireAnyOwn(caller: TokenOwner, access: readonly TargetAccess[]): void {
  if (!seesMore(caller) || access.some(({ isAllowed }) => isAllowed)) return;
  if (access.some(({ storeExists }) => storeExists)) throw permissionDenied();
}

/** The refusal that an upload to the target would get at once; its integration is checked when it would start. */
function refusalOf(
  caller: TokenOwner,
  access: TargetAccess | undefined,
  hasSeasons: boolean,
): string | null {
  if (!access?.storeExists) return 'The selected store id is invalid.';
  if (!access.isAllowed) {
    return seesMore(caller) ? PERMISSION_DENIED : "You don't have this store available.";
  }
  if (hasSeasons && !access.hasTimeZone) return TIME_ZONE_MISSING;
  if (access.isConnected) return null;
  // Without a connection there is no queue to join.
  return access.isActive ? 'This store does not have a token for this delivery.' : NO_INTEGRATION;
}
