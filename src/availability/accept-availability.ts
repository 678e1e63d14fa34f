import type { FromSchema } from 'json-schema-to-ts';
import { listConnectedIntegrations } from '../delivery-apps/sql/integrations';
import type { availabilitySchema } from '../../schemas/availability';
import type { ReachCheckpoint } from '../platform/checkpoint';
import type { Config } from '../platform/config/config';
import {
  type ChangedLine,
  type ChangeRequest,
  type ChangeTarget,
  insertItemRequest,
  insertPauseRequest,
  type WantedPause,
} from './sql/requests';
import { awaitChanges, type ChangeOutcome, listRequestChanges } from './sql/views';
import { LONGEST_UNTIL_MS, type WantedItem } from './availability';
import { parseInstant } from '../platform/text/instant';
import { fieldRefusal, type LocatedDetail } from '../platform/validation/field-refusal';
import { parseRowId } from '../users/guards';
import { keyLost } from '../http/idempotency-key-lost';
import { newId } from '../platform/ids';
import { inBackground } from '../platform/in-background';
import { availabilityWorkflow } from './availability-workflow';
import type { Nudger } from '../platform/queue/nudger';
import { type RowWaiters, waitForRow } from '../platform/queue/row-waiters';
import type { WaitingRoom } from '../platform/queue/waiting-room';
import type { Reachability } from '../platform/temporal/reachability';
import { boundIdOf, type RequestIdentity } from '../http/request-identity';
import {
  findIntegrationRefusal,
  NO_INTEGRATION,
  type UsableIntegrationDeps,
} from '../uploads/usable-integration';

export interface AcceptAvailabilityDeps extends UsableIntegrationDeps {
  readonly nudger: Nudger;
  readonly waiters: RowWaiters;
  readonly waitingRoom: WaitingRoom;
  readonly temporal: Pick<Reachability, 'isReachable'>;
  readonly reach: ReachCheckpoint;
  readonly settings: Pick<Config, 'UPLOAD_WAIT' | 'APP_D'>;
}

/** The store and the integrations that a caller named. */
export interface WantedTargets {
  readonly storeId: number;
  /** As the caller named them; undefined: all that the store is connected to. */
  readonly integrationIds: readonly (string | number)[] | undefined;
  /** Null: the default is all. Else those that show a menu, or where one of these items is off sale. */
  readonly liveOrOff: readonly string[] | null;
}

/** Nudges the lines, waits as long as the caller may, and returns the outcomes. Must be called: it frees the wait. */
export type FinishAvailability = () => Promise<readonly ChangeOutcome[]>;

/** Accepts items that go off sale or come back. */
export function acceptItems(
  deps: AcceptAvailabilityDeps,
  identity: RequestIdentity,
  targets: WantedTargets,
  items: readonly WantedItem[],
  waits: boolean,
): Promise<FinishAvailability> {
  return accept(deps, identity, targets, waits, (request) =>
    insertItemRequest(deps.sql, request, items),
  );
}

/** Accepts the pause of a store, or its end. */
export function acceptPause(
  deps: AcceptAvailabilityDeps,
  identity: RequestIdentity,
  targets: WantedTargets,
  pause: WantedPause,
  waits: boolean,
): Promise<FinishAvailability> {
  return accept(deps, identity, targets, waits, (request) =>
    insertPauseRequest(deps.sql, request, pause),
  );
}

/**
 * Writes the changes with `insert`, or finds those of an earlier try whose process died (`boundId`). The caller is
 * registered before that, so that no outcome is missed.
 */
async function accept(
  deps: AcceptAvailabilityDeps,
  identity: RequestIdentity,
  wanted: WantedTargets,
  waits: boolean,
  insert: (request: ChangeRequest) => Promise<ChangedLine[] | undefined>,
): Promise<FinishAvailability> {
  const boundId = boundIdOf(identity, 'avr');
  const targets = boundId ? [] : await findTargets(deps, wanted);
  if (!boundId && targets.length === 0) return async () => [];
  const mayWait = waits && deps.temporal.isReachable() && deps.settings.UPLOAD_WAIT > 0;
  const place = mayWait ? deps.waitingRoom.enter() : undefined;
  const waitMs = place ? deps.settings.UPLOAD_WAIT : 0;
  const deadline = Date.now() + waitMs;
  const requestRowId = boundId ?? newId('avr');
  identity.logged['change_request_id'] = requestRowId;
  const waiter = deps.waiters.register(requestRowId);
  const stopWaiting = (): void => {
    waiter.close();
    place?.leave();
  };
  let lines: readonly ChangedLine[] = [];
  try {
    if (boundId) {
      // The process of the earlier try may have died before nudging them.
      lines = await awaitChanges(deps.sql, boundId, waitMs);
      deps.waiters.announce(boundId);
    } else {
      const { caller, requestId, heldKey } = identity;
      const request = { requestRowId, storeId: wanted.storeId, userId: caller.userId };
      await deps.reach('api:before-insert');
      const written = await insert({ ...request, requestId, targets, waitMs, heldKey });
      if (!written) throw keyLost();
      lines = written;
    }
  } catch (error) {
    stopWaiting();
    throw error;
  }
  const outcomes = () => listRequestChanges(deps.sql, requestRowId);
  return async () => {
    try {
      await deps.reach('api:before-nudge');
      for (const { key, alive } of lines) nudge(deps, key, alive, () => waiter.release());
      if (waitMs > 0 && lines.length > 0) {
        await waitForRow(waiter, deadline, async () => {
          const changes = await outcomes();
          return changes.every(isEnded) ? changes : undefined;
        });
      }
      await deps.reach('api:before-answer');
      return await outcomes();
    } finally {
      stopWaiting();
    }
  };
}

function nudge(
  deps: AcceptAvailabilityDeps,
  key: ChangedLine['key'],
  alive: boolean,
  onUnreachable: () => void,
): void {
  inBackground(
    deps.nudger.nudge(availabilityWorkflow, key, alive).then((result) => {
      if (result === 'unreachable') onUnreachable();
    }),
    onUnreachable,
  );
}

export function isEnded({ state }: Pick<ChangeOutcome, 'state'>): boolean {
  return state !== 'queued' && state !== 'running';
}

/** Each named or connected integration once, with the sentence that refuses it if nothing can be sent there. */
async function findTargets(
  deps: AcceptAvailabilityDeps,
  { storeId, integrationIds, liveOrOff }: WantedTargets,
): Promise<ChangeTarget[]> {
  const connected = integrationIds
    ? []
    : await listConnectedIntegrations(deps.sql, storeId, liveOrOff);
  const named = new Map<string | number, string>();
  for (const each of integrationIds ?? connected) {
    const id = parseRowId(each) ?? String(each);
    if (!named.has(id)) named.set(id, String(each));
  }
  const targets: ChangeTarget[] = [];
  for (const [id, name] of named) {
    const integrationId = typeof id === 'number' ? id : undefined;
    if (integrationId === undefined) {
      targets.push({ integrationId: null, named: name, refusal: NO_INTEGRATION });
      continue;
    }
    const refusal = (await findIntegrationRefusal(deps, storeId, integrationId, 1)) ?? null;
    targets.push({ integrationId, named: name, refusal });
  }
  return targets;
}

/** The items of a request; throws the 422 of an invalid `until`. If an id is repeated, the last one counts. */
export function parseWantedItems(
  items: FromSchema<typeof availabilitySchema>['items'],
): readonly WantedItem[] {
  const problems: LocatedDetail[] = [];
  const wanted = new Map<string, WantedItem>();
  for (const [index, { external_id: externalId, available, until }] of items.entries()) {
    const moment = until == null ? null : parseUntil(until);
    if (moment === undefined || (moment && available)) {
      problems.push(wrongUntil(`/items/${index}/until`));
    }
    wanted.delete(externalId);
    wanted.set(externalId, { externalId, available, until: moment ?? null });
  }
  if (problems.length > 0) throw fieldRefusal(problems);
  return [...wanted.values()];
}

/** The end of a pause; throws the 422 of an invalid one. */
export function parsePauseEnd(until: string | null | undefined): Date | null {
  const moment = until == null ? null : parseUntil(until);
  if (moment === undefined) throw fieldRefusal([wrongUntil('/until')]);
  return moment;
}

/** Undefined = the time has passed, or is more than a year ahead. The schema has checked its form. */
function parseUntil(text: string): Date | undefined {
  const moment = parseInstant(text);
  const aheadMs = (moment?.getTime() ?? Number.NaN) - Date.now();
  return aheadMs > 0 && aheadMs <= LONGEST_UNTIL_MS ? moment : undefined;
}

function wrongUntil(pointer: string): LocatedDetail {
  return { code: 'invalid', pointer, detail: 'The selected until is invalid.' };
}
