import type { ToWake } from '../uploads/sql/publications';
import type { FromSchema } from 'json-schema-to-ts';
import { listConnectedIntegrations } from '../delivery-apps/sql/integrations';
import type { availabilitySchema } from '../../schemas/availability';
import type { Config } from '../platform/config/config';
import {
  type ChangeRequest,
  insertItemRequest,
  insertPauseRequest,
  insertSpecialDaysRequest,
  type WantedPause,
} from './sql/requests';
import { awaitChanges, type ChangeOutcome, listRequestChanges } from './sql/views';
import type { WantedItem } from './availability';
import type { StoredDay } from './special-days';
import { LONGEST_UNTIL_MS, parseInstant } from '../platform/text/instant';
import { fieldRefusal, type LocatedDetail } from '../platform/validation/field-refusal';
import { HINTS } from '../platform/validation/hints';
import { keyLost } from '../http/idempotency-key-lost';
import { newId } from '../platform/ids';
import { storeAvailabilityWorkflow } from './queue';
import { beginWait, untilAllEnded, type WaitDeps } from '../http/caller-wait';
import { boundIdOf, type RequestIdentity } from '../http/request-identity';
import { type NamedTarget, nameTargets } from '../uploads/named-targets';
import type { UsableIntegrationDeps } from '../uploads/usable-integration';

export interface AcceptAvailabilityDeps extends UsableIntegrationDeps, WaitDeps {
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

/** Wakes the queues, waits as long as the caller may, and returns the outcomes. Must be called: it frees the wait. */
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

/** Accepts the special days of a store, also of one that is connected to no app yet. */
export function acceptSpecialDays(
  deps: AcceptAvailabilityDeps,
  identity: RequestIdentity,
  targets: WantedTargets,
  days: readonly StoredDay[],
  waits: boolean,
): Promise<FinishAvailability> {
  const insert = (request: ChangeRequest) => insertSpecialDaysRequest(deps.sql, request, days);
  return accept(deps, identity, { ...targets, writesAlways: true }, waits, insert);
}

/**
 * Writes the changes with `insert`, or finds those of an earlier try whose process died (`boundId`). The caller is
 * registered before that, so that no outcome is missed.
 */
async function accept(
  deps: AcceptAvailabilityDeps,
  identity: RequestIdentity,
  wanted: WantedTargets & { readonly writesAlways?: boolean },
  waits: boolean,
  insert: (request: ChangeRequest) => Promise<ToWake[] | undefined>,
): Promise<FinishAvailability> {
  const boundId = boundIdOf(identity, 'avr');
  const targets = boundId ? [] : await findTargets(deps, wanted);
  if (!boundId && targets.length === 0 && !wanted.writesAlways) return async () => [];
  const changeRequestId = boundId ?? newId('avr');
  identity.logged['change_request_id'] = changeRequestId;
  const wait = beginWait(deps, identity, changeRequestId, waits);
  let queues: readonly ToWake[] = [];
  try {
    if (boundId) {
      // The process of the earlier try may have died before waking them.
      queues = await awaitChanges(deps.sql, boundId, wait.ms);
      deps.waiters.announce(boundId);
    } else {
      const { caller, requestId, heldKey } = identity;
      const request = { changeRequestId, storeId: wanted.storeId, userId: caller.userId };
      await deps.atCheckpoint('api:before-insert');
      const written = await insert({ ...request, requestId, targets, waitMs: wait.ms, heldKey });
      if (!written) throw keyLost();
      queues = written;
    }
    wait.rowWritten();
  } catch (error) {
    wait.end();
    throw error;
  }
  return () =>
    untilAllEnded(deps, wait, {
      kind: storeAvailabilityWorkflow,
      toWake: queues,
      read: () => listRequestChanges(deps.sql, changeRequestId),
      isEnded,
    });
}

export function isEnded({ state }: Pick<ChangeOutcome, 'state'>): boolean {
  return state !== 'queued' && state !== 'running';
}

/** Each named or connected integration once, with the sentence that refuses it if nothing can be sent there. */
async function findTargets(
  deps: AcceptAvailabilityDeps,
  { storeId, integrationIds, liveOrOff }: WantedTargets,
): Promise<NamedTarget[]> {
  const connected = integrationIds
    ? []
    : await listConnectedIntegrations(deps.sql, storeId, liveOrOff);
  return nameTargets(deps, storeId, integrationIds ?? connected);
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
      problems.push(wrongUntil(`/items/${index}/until`, until));
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
  if (moment === undefined) throw fieldRefusal([wrongUntil('/until', until)]);
  return moment;
}

/** Undefined = the time has passed, or is more than a year ahead. The schema has checked its form. */
function parseUntil(text: string): Date | undefined {
  const moment = parseInstant(text);
  const aheadMs = (moment?.getTime() ?? Number.NaN) - Date.now();
  return aheadMs > 0 && aheadMs <= LONGEST_UNTIL_MS ? moment : undefined;
}

function wrongUntil(pointer: string, value: unknown): LocatedDetail {
  const detail = 'The selected until is invalid.';
  return { code: 'invalid', pointer, detail, value, hint: HINTS.until };
}
