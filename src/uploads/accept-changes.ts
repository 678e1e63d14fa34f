import type { ToWake } from './sql/publications';
import { setTimeout as sleep } from 'node:timers/promises';
import { packAndFree, type DocumentStore } from './documents';
import { menuPublicationWorkflow } from './queue';
import {
  awaitChangedUploads,
  type ChangeBase,
  type ChangedUpload,
  type ChangeRefusal,
  findChangeBase,
  insertChanges,
  listChangeableIntegrations,
  listChangedUploads,
  type NewChange,
  StaleBaseError,
} from './sql/changed-uploads';
import { besideOf } from './sent-menu';
import { CHANGED_MENU, changedMenuBytes } from './menu-changes-body';
import { isFinal } from './upload';
import { type NamedTarget, nameTargets } from './named-targets';
import type { UsableIntegrationDeps } from './usable-integration';
import { NO_LIVE_MENU } from './usable-integration';
import { limitSentences } from '../menus/rules/problems-in-answers';
import type { AppliedChanges } from '../menus/wanted-changes/apply-changes';
import type { WantedChanges } from '../menus/wanted-changes/wanted-changes';
import type { BodyReader } from '../http/body/body-reader';
import { beginWait, type CallerWait, untilAllEnded, type WaitDeps } from '../http/caller-wait';
import { keyLost } from '../http/idempotency-key-lost';
import { boundIdOf, type RequestIdentity } from '../http/request-identity';
import { serviceBusy } from '../platform/admission/service-busy';
import type { BoundShares } from '../platform/admission/permits';
import { type MenuChangeRequestId, newId } from '../platform/ids';

export interface AcceptChangesDeps extends UsableIntegrationDeps, WaitDeps {
  readonly settings: UsableIntegrationDeps['settings'] & WaitDeps['settings'];
  readonly documents: DocumentStore;
  readonly bodyReader: BodyReader;
  readonly bodyBudget: BoundShares;
}

/** A caller's request to change single items of the menus that a store shows. */
export interface ChangesRequest {
  readonly storeId: number;
  /** As the caller named them; undefined: all that show a menu. */
  readonly integrationIds: readonly (string | number)[] | undefined;
  readonly changes: WantedChanges;
  readonly waits: boolean;
}

/** What became of the change in one integration. */
export interface ChangeOutcome extends Pick<ChangedUpload, 'state' | 'way' | 'messages'> {
  /** Null: there is no such version. */
  readonly uploadId: ChangedUpload['uploadId'] | null;
  /** As the caller named it. */
  readonly integrationId: string;
}

/** Wakes the workflows, waits as long as the caller may, and returns the outcomes. Must be called: it frees the wait. */
export type FinishChanges = () => Promise<readonly ChangeOutcome[]>;

/**
 * How often a change is made anew because another menu was accepted meanwhile, and the longest pause before the next
 * try, ms: of many at once one is accepted each time.
 */
const AGAIN = { tries: 30, pauseMs: 30 } as const;

/**
 * Accepts a request: for each integration an upload of its newest menu with the changes in it, or why there is none. The
 * uploads go the way of all others.
 */
export async function acceptChanges(
  deps: AcceptChangesDeps,
  identity: RequestIdentity,
  request: ChangesRequest,
): Promise<FinishChanges> {
  const boundId = boundIdOf(identity, 'mcr');
  const planned = boundId ? undefined : await planChanges(deps, identity, request);
  if (planned?.changes.length === 0) {
    const refused = planned.refusals.map(refusedOutcome);
    return async () => inOrderOf(request, refused);
  }
  const changeRequestId = boundId ?? newId('mcr');
  identity.logged['change_request_id'] = changeRequestId;
  const wait = beginWait(deps, identity, changeRequestId, request.waits);
  try {
    const accepting = { changeRequestId, wait };
    const accepted = planned
      ? await insertPlanned(deps, identity, request, { ...accepting, planned })
      : { publications: await awaitChangedUploads(deps.sql, changeRequestId, wait.ms) };
    if (boundId) deps.waiters.announce(boundId);
    wait.rowWritten();
    return () => finish(deps, request, { ...accepting, ...accepted });
  } catch (error) {
    wait.end();
    throw error;
  }
}

interface PlannedChanges {
  readonly changes: readonly NewChange[];
  readonly refusals: readonly ChangeRefusal[];
}

async function planChanges(
  deps: AcceptChangesDeps,
  identity: RequestIdentity,
  { storeId, integrationIds, changes }: ChangesRequest,
): Promise<PlannedChanges> {
  const named = integrationIds ?? (await listChangeableIntegrations(deps.sql, storeId));
  const targets = await nameTargets(deps, storeId, named);
  const planned: NewChange[] = [];
  const refusals: ChangeRefusal[] = [];
  for (const target of targets) {
    const change = await planChange(deps, identity, storeId, target, changes);
    if ('messages' in change) refusals.push(change);
    else planned.push(change);
  }
  return { changes: planned, refusals };
}

/** The new version of one integration's menu, or why there is none. */
async function planChange(
  deps: AcceptChangesDeps,
  { caller }: RequestIdentity,
  storeId: number,
  { integrationId, named, refusal }: NamedTarget,
  changes: WantedChanges,
): Promise<NewChange | ChangeRefusal> {
  const refuse = (...messages: readonly string[]) => ({ integration_id: named, messages });
  if (integrationId === null || refusal !== null) return refuse(refusal ?? '');
  const key = { storeId, integrationId };
  const base = await findChangeBase(deps.sql, key);
  if (!base) return refuse(NO_LIVE_MENU);
  const applied = await applyTo(deps, base, changes, caller.userId);
  if (!applied.ok) return refuse(...limitSentences(applied.sentences));
  return {
    uploadId: newId('upl'),
    key,
    base,
    document: await packAndFree(applied.text),
    sentBeside: besideOf(base),
  };
}

/** The text of the menu counts against the memory for request bodies meanwhile. */
async function applyTo(
  { bodyBudget, bodyReader, documents }: AcceptChangesDeps,
  base: ChangeBase,
  changes: WantedChanges,
  userId: RequestIdentity['caller']['userId'],
): Promise<AppliedChanges> {
  const memory = bodyBudget.take(userId, base.documentSize);
  if (!memory) throw serviceBusy();
  try {
    const menu = await documents.read(base.documentSha256);
    const reading = await bodyReader.read(CHANGED_MENU, changedMenuBytes(menu, changes), userId);
    return CHANGED_MENU.check(reading);
  } finally {
    memory.release();
  }
}

interface Accepting {
  readonly changeRequestId: MenuChangeRequestId;
  readonly wait: CallerWait;
}

interface Accepted {
  readonly publications: readonly ToWake[];
  /** Absent: an earlier try has kept them with its uploads. */
  readonly refusals?: readonly ChangeRefusal[];
}

/** Writes the planned uploads. A menu that was accepted since is changed in place of the one before it. */
async function insertPlanned(
  deps: AcceptChangesDeps,
  identity: RequestIdentity,
  request: ChangesRequest,
  { changeRequestId, planned: first, wait }: Accepting & { readonly planned: PlannedChanges },
): Promise<Accepted> {
  const { caller, requestId, heldKey } = identity;
  let planned = first;
  for (let tries = 1; ; tries += 1) {
    await deps.atCheckpoint('api:before-insert');
    const row = { changeRequestId, userId: caller.userId, requestId, heldKey, waitMs: wait.ms };
    try {
      const publications = await insertChanges(
        deps.sql,
        { ...row, changes: JSON.stringify(request.changes), refusals: planned.refusals },
        planned.changes,
      );
      if (!publications) throw keyLost();
      return { publications, refusals: planned.refusals };
    } catch (error) {
      if (!(error instanceof StaleBaseError)) throw error;
      if (tries === AGAIN.tries) throw serviceBusy();
      await sleep(Math.random() * AGAIN.pauseMs);
      planned = await planChanges(deps, identity, request);
    }
  }
}

async function finish(
  deps: AcceptChangesDeps,
  request: ChangesRequest,
  { changeRequestId, publications, refusals, wait }: Accepting & Accepted,
): Promise<readonly ChangeOutcome[]> {
  const uploads = await untilAllEnded(deps, wait, {
    kind: menuPublicationWorkflow,
    toWake: publications,
    read: () => listChangedUploads(deps.sql, changeRequestId),
    isEnded: ({ state }) => isFinal(state),
  });
  const refused = refusals ?? uploads.flatMap(({ changeRefusals }) => changeRefusals ?? []);
  return inOrderOf(request, [...uploads.map(outcomeOf), ...refused.map(refusedOutcome)]);
}

function outcomeOf({ integrationId, ...upload }: ChangedUpload): ChangeOutcome {
  return { ...upload, integrationId: String(integrationId) };
}

function refusedOutcome({ integration_id, messages }: ChangeRefusal): ChangeOutcome {
  return { uploadId: null, integrationId: integration_id, state: 'failed', way: null, messages };
}

/** As they were named, else by their ids. */
function inOrderOf(
  { integrationIds }: ChangesRequest,
  outcomes: readonly ChangeOutcome[],
): readonly ChangeOutcome[] {
  const names = integrationIds?.map(String);
  const placeOf = ({ integrationId }: ChangeOutcome): number =>
    names ? names.indexOf(integrationId) : Number(integrationId);
  return outcomes.toSorted((one, other) => placeOf(one) - placeOf(other));
}
