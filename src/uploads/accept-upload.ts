import type { Config } from '../platform/config/config';
import type { Sql } from '../platform/db/client';
import type { PublicationKey } from './sql/publications';
import { awaitUpload, findUploadOutcome, insertUpload, type UploadOutcomeRow } from './sql/uploads';
import { isFinal } from './upload';
import { packAndFree } from './documents';
import { AppError } from '../platform/errors';
import { findNamedStore, parseRowId, requireStore } from '../users/guards';
import { keyLost } from '../http/idempotency-key-lost';
import { newId, type UploadId } from '../platform/ids';
import { menuPublicationWorkflow } from './queue';
import { beginWait, type CallerWait, type WaitDeps } from '../http/caller-wait';
import { type CheckedMenu, requireTimeZone, requireValidMenu } from './checked-menu';
import { boundIdOf, type RequestIdentity } from '../http/request-identity';
import {
  findIntegrationRefusal,
  NO_INTEGRATION,
  type UsableIntegrationDeps,
} from './usable-integration';

export interface AcceptUploadDeps extends UsableIntegrationDeps, WaitDeps {
  readonly sql: Sql;
  readonly settings: Pick<Config, 'UPLOAD_WAIT' | 'APP_D'>;
}

/** A caller's request to upload a menu to one integration of one store. */
export interface UploadRequest {
  readonly storeId: string | number;
  readonly integrationId: string | number;
  readonly menu: CheckedMenu;
  /** JSON text of an object: the members of the body other than the four lists of the menu. */
  readonly sentBeside: string;
  readonly skipUnchanged: boolean;
  /** The upload whose menu is published again. */
  readonly republishedFrom: UploadId | null;
  /** Whether the caller wants to wait for the outcome. */
  readonly waits: boolean;
}

/**
 * An upload whose row is written. Keeps nothing of the menu in memory, because its caller may wait for half a minute.
 */
export interface AcceptedUpload {
  readonly uploadId: UploadId;
  readonly key: PublicationKey;
  /** Whether its workflow has the lease. */
  readonly leased: boolean;
  readonly wait: CallerWait;
}

/**
 * First half of an upload request: checks access, menu rules, time zone and integration in this order, and writes the row. The
 * rules were evaluated while the body was read (`MENU_UPLOAD_BODY`); here a broken rule refuses the upload. Throws the
 * 409 or 422 of a refusal. `wakeAndWait` is the second half.
 */
export async function acceptUpload(
  deps: AcceptUploadDeps,
  identity: RequestIdentity,
  upload: UploadRequest,
): Promise<AcceptedUpload> {
  const { caller } = identity;
  const access = await findNamedStore(deps.sql, caller, upload.storeId);
  requireStore(caller, access);
  const menu = requireValidMenu(upload.menu);
  requireTimeZone(menu, access);
  // A retry of a request whose process died continues with the row that the first try wrote.
  const bound = boundIdOf(identity, 'upl');
  // An accepted upload continues, even if its integration has changed.
  const newKey = bound
    ? undefined
    : await requireUsableIntegration(deps, access.storeId, upload, menu.menuCount);
  const uploadId = bound ?? newId('upl');
  const wait = beginWait(deps, identity, uploadId, upload.waits);
  try {
    const row = { ...upload, uploadId, menuText: menu.text, waitMs: wait.ms };
    const accepted = newKey
      ? { key: newKey, leased: await insertRow(deps, identity, { ...row, key: newKey }) }
      : await resumeUpload(deps, uploadId, wait.ms);
    // From here on the request only waits and no longer counts as work.
    wait.rowWritten();
    return { uploadId, ...accepted, wait };
  } catch (error) {
    wait.end();
    throw error;
  }
}

async function requireUsableIntegration(
  deps: AcceptUploadDeps,
  storeId: number,
  upload: UploadRequest,
  menuCount: number,
): Promise<PublicationKey> {
  const integrationId = parseRowId(upload.integrationId);
  if (integrationId === undefined) throw new AppError('integration_unusable', NO_INTEGRATION);
  const refusal = await findIntegrationRefusal(deps, storeId, integrationId, menuCount);
  if (refusal !== undefined) throw new AppError('integration_unusable', refusal);
  return { storeId, integrationId };
}

/**
 * From now on the end of the row is announced to this caller too (`awaitUpload`). It may have ended before, so the
 * caller is woken to read it once.
 */
async function resumeUpload(
  deps: AcceptUploadDeps,
  uploadId: UploadId,
  waitMs: number,
): Promise<Pick<AcceptedUpload, 'key' | 'leased'>> {
  const key = await awaitUpload(deps.sql, uploadId, waitMs);
  if (!key) throw keyLost();
  deps.waiters.announce(uploadId);
  // The first try may have died before its wake, so the workflow is woken again.
  return { key, leased: false };
}

interface UploadRow extends Pick<
  UploadRequest,
  'sentBeside' | 'skipUnchanged' | 'republishedFrom'
> {
  readonly uploadId: UploadId;
  readonly key: PublicationKey;
  readonly menuText: Uint8Array;
  readonly waitMs: number;
}

/** Accepts the upload, and returns whether its workflow has the lease. */
async function insertRow(
  deps: AcceptUploadDeps,
  { caller, requestId, heldKey }: RequestIdentity,
  row: UploadRow,
): Promise<boolean> {
  await deps.atCheckpoint('api:before-insert');
  const leased = await insertUpload(deps.sql, {
    uploadId: row.uploadId,
    ...row.key,
    userId: caller.userId,
    requestId,
    document: await packAndFree(row.menuText),
    sentBeside: row.sentBeside,
    skipUnchanged: row.skipUnchanged,
    republishedFrom: row.republishedFrom,
    waitMs: row.waitMs,
    heldKey,
  });
  if (leased === undefined) throw keyLost();
  return leased;
}

/**
 * Wakes the upload's workflow (a signal starts it; nothing is sent if it is leased) and waits on the row. Undefined =
 * not finished yet or not awaited; the upload continues.
 */
export async function wakeAndWait(
  deps: AcceptUploadDeps,
  { key, uploadId, leased, wait }: AcceptedUpload,
): Promise<UploadOutcomeRow | undefined> {
  try {
    await deps.atCheckpoint('api:before-wake');
    wait.wake(menuPublicationWorkflow, key, leased);
    const outcome = await wait.until(async () => {
      const row = await findUploadOutcome(deps.sql, uploadId);
      return row && isFinal(row.state) ? row : undefined;
    });
    await deps.atCheckpoint('api:before-answer');
    return outcome;
  } finally {
    wait.end();
  }
}
