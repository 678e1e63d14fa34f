import Router from '@koa/router';
import {
  menuUploadQuerySchema,
  menuUploadSchema,
  type MenuUpload,
} from '../../../schemas/menu-upload';
import type { ReachCheckpoint } from '../../checkpoint';
import type { Config } from '../../config';
import type { Sql } from '../../db/client';
import { findConnection } from '../../db/integrations';
import type { PublicationKey } from '../../db/publications';
import {
  awaitUpload,
  findUploadOutcome,
  insertUpload,
  type UploadOutcomeRow,
} from '../../db/uploads';
import { findDeliveryApp } from '../../delivery-apps/registry';
import type { DocumentStore } from '../../documents';
import { checkMenu } from '../../domain/menu-rules/check-menu';
import { toProblemDetails, toSentences } from '../../domain/menu-rules/problem-sentences';
import type { MenuDocument } from '../../domain/menu';
import { AppError } from '../../errors';
import { newId, type UploadId } from '../../ids';
import { menuKind } from '../../queue/menu-kind';
import type { Nudger } from '../../queue/nudger';
import type { Reachability } from '../../temporal/reachability';
import { type RowWaiter, type RowWaiters, waitForRow } from '../../queue/row-waiters';
import { createValidator } from '../../validation';
import { accepted, findNamedStore, parseRowId, requireActiveUser, requireStore } from '../guards';
import { markLost } from '../mark-lost';
import { LARGE_BODY, readJson } from '../middleware/read-json';
import { idempotent, type IdempotentDeps } from '../middleware/idempotent';
import type { RequestContext, RequestState } from '../state';
import { answerUpload, pointToUpload } from '../upload-answers';

export interface MenuUploadDeps extends IdempotentDeps {
  readonly sql: Sql;
  readonly documents: DocumentStore;
  readonly nudger: Nudger;
  readonly waiters: RowWaiters;
  readonly temporal: Pick<Reachability, 'isReachable'>;
  readonly reach: ReachCheckpoint;
  readonly settings: Pick<Config, 'UPLOAD_WAIT' | 'MENU_EQUAL_QUANTITIES'>;
}

const validateBody = createValidator<typeof menuUploadSchema, MenuUpload>(menuUploadSchema);
const validateQuery = createValidator(menuUploadQuerySchema);

interface AcceptedUpload {
  readonly key: PublicationKey;
  readonly menu: MenuDocument;
  readonly skipUnchanged: boolean;
}

export function menuUploadRoutes(deps: MenuUploadDeps): Router<RequestState> {
  const router = new Router<RequestState>();
  router.post('/menus/upload', readJson(LARGE_BODY), idempotent(deps), async (ctx) => {
    await uploadMenu(deps, ctx, await acceptUpload(deps, ctx));
  });
  return router;
}

/** Every check of an upload, in the order of the contract: shape, access, menu rules, integration. */
async function acceptUpload(deps: MenuUploadDeps, ctx: RequestContext): Promise<AcceptedUpload> {
  const { caller } = ctx.state;
  const body = accepted(validateBody(ctx.state.json));
  const query = accepted(validateQuery(ctx.query));
  const access = await findNamedStore(deps.sql, caller, body.store_id);
  requireActiveUser(caller);
  requireStore(caller, access);
  const verdict = checkMenu(body, { equalQuantities: deps.settings.MENU_EQUAL_QUANTITIES });
  if (!verdict.ok) {
    throw new AppError('menu_invalid', toSentences(verdict.problems), {
      details: toProblemDetails(verdict.problems),
    });
  }
  const integrationId = parseRowId(body.integration_id);
  await requireUsableIntegration(deps.sql, access.storeId, integrationId, verdict.menu);
  return {
    key: { storeId: access.storeId, integrationId: integrationId ?? 0 },
    menu: verdict.menu,
    skipUnchanged: query.skip_unchanged === 'true',
  };
}

function refuse(sentence: string): AppError {
  return new AppError('integration_unusable', sentence);
}

async function requireUsableIntegration(
  sql: Sql,
  storeId: number,
  integrationId: number | undefined,
  menu: MenuDocument,
): Promise<void> {
  const facts =
    integrationId === undefined ? undefined : await findConnection(sql, storeId, integrationId);
  if (!facts?.active) throw refuse('Integration not available.');
  if (!facts.hasCredential) {
    throw refuse('This store does not have a token for this delivery.');
  }
  const registered = findDeliveryApp(facts.app);
  if (!registered.configured) throw refuse(registered.reason);
  if (!facts.configured) {
    throw refuse('Microservice does not have this integration configured.');
  }
  if (!facts.hasDeliveryId) throw refuse('This store does not have the store delivery id.');
  if (menu.menus.length > registered.app.maxMenus) {
    throw refuse('Only one menu is supported by this delivery.');
  }
}

/** Writes the row, nudges the entity, waits on the row: the caller's half of the pattern. */
async function uploadMenu(
  deps: MenuUploadDeps,
  ctx: RequestContext,
  upload: AcceptedUpload,
): Promise<void> {
  // Nobody can begin while Temporal is away, so nobody waits.
  const waits = deps.temporal.isReachable() && !prefersAsync(ctx);
  const waitMs = waits ? deps.settings.UPLOAD_WAIT : 0;
  const deadline = Date.now() + waitMs;
  // A retry of a request whose process died goes on with the row that it had made.
  const bound = ctx.state.boundId as UploadId | null;
  const uploadId = bound ?? newId('upl');
  const waiter = deps.waiters.register(uploadId);
  try {
    let alive = false;
    if (bound) {
      // It may have ended, and whoever was to be told is gone: look at once, and be told from now on.
      await awaitUpload(deps.sql, bound, waitMs);
      deps.waiters.announce([bound]);
    } else {
      alive = await insertRow(deps, ctx, upload, uploadId, waitMs);
    }
    const statusUrl = pointToUpload(ctx, uploadId);
    await deps.reach('api:before-nudge');
    const nudged = deps.nudger.nudge(menuKind, upload.key, alive);
    // The row is safe, and the caller need not wait for the sweep.
    void nudged.then((result) => {
      if (result === 'unreachable') waiter.release();
    });
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
  }
}

/** Accepts the upload, and says whether its entity is at work. */
async function insertRow(
  deps: MenuUploadDeps,
  ctx: RequestContext,
  { key, menu, skipUnchanged }: AcceptedUpload,
  uploadId: UploadId,
  waitMs: number,
): Promise<boolean> {
  await deps.reach('api:before-insert');
  const inserted = await insertUpload(deps.sql, {
    uploadId,
    ...key,
    userId: ctx.state.caller.userId,
    requestId: ctx.state.requestId,
    document: await deps.documents.pack(Buffer.from(JSON.stringify(menu))),
    skipUnchanged,
    waitMs,
    mark: ctx.state.mark,
  });
  if (inserted === undefined) throw markLost();
  return inserted;
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
