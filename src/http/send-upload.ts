import type { ReachCheckpoint } from '../checkpoint';
import type { Config } from '../config';
import type { Sql } from '../db/client';
import type { PublicationKey } from '../db/publications';
import { awaitUpload, findUploadOutcome, insertUpload, type UploadOutcomeRow } from '../db/uploads';
import type { DocumentStore } from '../documents';
import { newId, type UploadId } from '../ids';
import { menuKind } from '../queue/menu-kind';
import type { Nudger } from '../queue/nudger';
import { type RowWaiter, type RowWaiters, waitForRow } from '../queue/row-waiters';
import type { WaitingPlace, WaitingRoom } from '../queue/waiting-room';
import type { Reachability } from '../temporal/reachability';
import { markLost } from './mark-lost';
import type { RequestContext } from './state';
import { answerUpload, pointToUpload } from './upload-answers';
import { inBackground } from '../in-background';

export interface SendUploadDeps {
  readonly sql: Sql;
  readonly documents: DocumentStore;
  readonly nudger: Nudger;
  readonly waiters: RowWaiters;
  readonly waitingRoom: WaitingRoom;
  readonly temporal: Pick<Reachability, 'isReachable'>;
  readonly reach: ReachCheckpoint;
  readonly settings: Pick<Config, 'UPLOAD_WAIT'>;
}

export interface AcceptedUpload {
  readonly key: PublicationKey;
  /** The menu as JSON. */
  readonly menuText: Uint8Array;
  readonly skipUnchanged: boolean;
}

/** An upload whose row is written. Holds nothing of the menu: its caller may wait for half a minute. */
interface StoredUpload {
  readonly key: PublicationKey;
  readonly uploadId: UploadId;
  /** Whether its entity is at work. */
  readonly alive: boolean;
  readonly waiter: RowWaiter;
  /** Undefined when the caller does not wait. */
  readonly place: WaitingPlace | undefined;
  /** How long the caller waits for the outcome, ms; 0 = not at all. */
  readonly waitMs: number;
  /** Milliseconds since the epoch. */
  readonly deadline: number;
}

/** Writes the upload's row: the first of the two halves of an upload, see `finishUpload`. */
export async function storeUpload(
  deps: SendUploadDeps,
  ctx: RequestContext,
  upload: AcceptedUpload,
): Promise<StoredUpload> {
  // Nobody can begin while Temporal is away, so nobody waits.
  const waits = deps.temporal.isReachable() && !prefersAsync(ctx);
  const place = waits && deps.settings.UPLOAD_WAIT > 0 ? deps.waitingRoom.enter() : undefined;
  const waitMs = place ? deps.settings.UPLOAD_WAIT : 0;
  const deadline = Date.now() + waitMs;
  // A retry of a request whose process died goes on with the row that it had made.
  const bound = ctx.state.boundId as UploadId | null;
  const uploadId = bound ?? newId('upl');
  const waiter = deps.waiters.register(uploadId);
  try {
    const alive = bound
      ? await resumeUpload(deps, bound, waitMs)
      : await insertRow(deps, ctx, upload, uploadId, waitMs);
    return { key: upload.key, uploadId, alive, waiter, place, waitMs, deadline };
  } catch (error) {
    waiter.close();
    place?.leave();
    throw error;
  }
}

/** It may have ended, and whoever was to be told is gone: its row is looked at at once, and announced from now on. */
async function resumeUpload(
  deps: SendUploadDeps,
  uploadId: UploadId,
  waitMs: number,
): Promise<boolean> {
  await awaitUpload(deps.sql, uploadId, waitMs);
  deps.waiters.announce([uploadId]);
  return false;
}

/** Accepts the upload, and says whether its entity is at work. */
async function insertRow(
  deps: SendUploadDeps,
  ctx: RequestContext,
  { key, menuText, skipUnchanged }: AcceptedUpload,
  uploadId: UploadId,
  waitMs: number,
): Promise<boolean> {
  await deps.reach('api:before-insert');
  const inserted = await insertUpload(deps.sql, {
    uploadId,
    ...key,
    userId: ctx.state.caller.userId,
    requestId: ctx.state.requestId,
    document: await deps.documents.pack(toBuffer(menuText)),
    skipUnchanged,
    waitMs,
    mark: ctx.state.mark,
  });
  if (inserted === undefined) throw markLost();
  return inserted;
}

/** The same memory: from a thread a Buffer arrives as the plain bytes that it is. */
function toBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** Nudges the upload's entity, waits on the row, and answers by what became of it. */
export async function finishUpload(
  deps: SendUploadDeps,
  ctx: RequestContext,
  { key, uploadId, alive, waiter, place, waitMs, deadline }: StoredUpload,
): Promise<void> {
  try {
    const statusUrl = pointToUpload(ctx, uploadId);
    await deps.reach('api:before-nudge');
    // The row is safe, and the caller need not wait for the sweep.
    inBackground(
      deps.nudger.nudge(menuKind, key, alive).then((result) => {
        if (result === 'unreachable') waiter.release();
      }),
      () => waiter.release(),
    );
    const outcome =
      waitMs > 0 ? await waitForUpload(deps.sql, waiter, uploadId, deadline) : undefined;
    await deps.reach('api:before-answer');
    answerUpload(ctx, outcome);
    if (ctx.status === 202) {
      ctx.body = {
        message: 'Menu upload in progress.',
        data: { upload_id: uploadId, status_url: statusUrl },
      };
    }
  } finally {
    waiter.close();
    place?.leave();
  }
}

function waitForUpload(
  sql: Sql,
  waiter: RowWaiter,
  uploadId: UploadId,
  deadline: number,
): Promise<UploadOutcomeRow | undefined> {
  return waitForRow(waiter, deadline, async () => {
    const row = await findUploadOutcome(sql, uploadId);
    return row && row.state !== 'queued' && row.state !== 'running' ? row : undefined;
  });
}

/** RFC 7240: preferences are separated by commas and may have parameters. */
function prefersAsync(ctx: RequestContext): boolean {
  return ctx
    .get('prefer')
    .split(',')
    .some((each) => /^\s*respond-async\s*(?:;|$)/i.test(each));
}
