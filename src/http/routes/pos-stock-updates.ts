import { createHash } from 'node:crypto';
import Router from '@koa/router';
import { posStockUpdateSchema } from '../../../schemas/inventory-system';
import type { Sql } from '../../db/client';
import { insertUnansweredPosRequest } from '../../db/pos-requests';
import { findStorePos, type PosRow } from '../../db/pos-systems';
import { oneOrTwo } from '../../domain/delivery';
import { AppError, fieldError } from '../../errors';
import { type MessageId, newId } from '../../ids';
import {
  type PosAnswer,
  type PosClient,
  type PosStockMovement,
  posStockBody,
} from '../../pos/pos-client';
import { createValidator } from '../../validation';
import { accepted, parseRowId, requireActiveUser, requireStore } from '../guards';
import { findOwnSystem, findPathStore } from '../inventory-guards';
import { idempotent, type IdempotentDeps } from '../middleware/idempotent';
import { readJson, SMALL_BODY } from '../middleware/read-json';
import type { RequestContext, RequestState } from '../state';

export interface PosStockUpdateDeps extends IdempotentDeps {
  readonly sql: Sql;
  readonly pos: PosClient;
}

const validateBody = createValidator(posStockUpdateSchema);

interface AcceptedUpdate {
  readonly pos: PosRow;
  readonly movement: PosStockMovement;
}

/** Stock updates from an inventory system to a store's POS: forwarded at once, the POS's own errors passed through. */
export function posStockUpdateRoutes(deps: PosStockUpdateDeps): Router<RequestState> {
  const router = new Router<RequestState>();
  router.post(
    '/inventory/system/store/:store_id/pos/stock/update',
    readJson(SMALL_BODY),
    idempotent(deps),
    async (ctx) => {
      await forward(deps, ctx, await acceptUpdate(deps, ctx, ctx.params['store_id']));
    },
  );
  return router;
}

async function acceptUpdate(
  { sql }: PosStockUpdateDeps,
  ctx: RequestContext,
  pathStoreId: string | undefined,
): Promise<AcceptedUpdate> {
  const { caller } = ctx.state;
  const body = accepted(validateBody(ctx.state.json));
  const access = await findPathStore(sql, caller, pathStoreId);
  requireActiveUser(caller);
  requireStore(caller, access);
  const { storeId } = access;
  const { inventorySystemId } = await findOwnSystem(sql, caller, body.inventory_system_id);
  const posId = parseRowId(body.pos_id);
  const pos = posId === undefined ? undefined : await findStorePos(sql, storeId, posId);
  if (!pos) throw fieldError('pos_id', 'The selected pos id is invalid.');
  const movement: PosStockMovement = {
    inventorySystemId,
    storeId,
    posId: pos.posId,
    externalId: body.external_id,
    currentStock: body.current_stock,
    quantity: body.quantity,
    date: body.date,
    movementType: oneOrTwo(body.movement_type),
  };
  return { pos, movement };
}

async function forward(
  deps: PosStockUpdateDeps,
  ctx: RequestContext,
  { pos, movement }: AcceptedUpdate,
): Promise<void> {
  const request = {
    body: posStockBody(movement),
    messageId: messageIdFor(ctx),
    idempotencyKey: ctx.state.mark?.key ?? null,
  };
  const { answer, ms } = await deps.pos.updateStock(pos, request);
  Object.assign(ctx.state.logged, {
    pos_id: pos.posId,
    pos_answer: answer.kind,
    pos_ms: Math.round(ms),
  });
  if (answer.kind === 'unanswered') {
    await insertUnansweredPosRequest(deps.sql, {
      posRequestId: newId('psr'),
      ...movement,
      userId: ctx.state.caller.userId,
      requestId: ctx.state.requestId,
      messageId: request.messageId,
      idempotencyKey: request.idempotencyKey,
      body: request.body,
      outcome: answer.outcome,
      error: answer.error,
      durationMs: ms,
    });
  }
  answerUpdate(ctx, answer);
}

function answerUpdate(ctx: RequestContext, answer: PosAnswer): void {
  switch (answer.kind) {
    case 'updated':
      ctx.body = { message: 'Stock successfully updated.', data: null };
      return;
    case 'refused':
      // Not thrown: an error of ours would be put into our words, or into problem+json.
      ctx.status = answer.status;
      ctx.set('X-Error-Source', 'pos');
      ctx.type = 'application/json; charset=utf-8';
      ctx.body = answer.body;
      return;
    case 'unexpected':
      throw new AppError('pos_unreachable', 'The POS system answered unexpectedly.');
    case 'unanswered':
      throw answer.outcome === 'not_reached'
        ? new AppError('pos_unreachable', 'The POS system did not answer.')
        : new AppError('pos_timeout', 'The POS system did not answer in time.');
  }
}

/** With an idempotency key the same for every try, so that a POS which goes by `webhook-id` sees one movement too. */
function messageIdFor(ctx: RequestContext): MessageId {
  const { mark } = ctx.state;
  if (!mark) return newId('msg');
  const digest = createHash('sha256').update(`${mark.userId}\n${mark.path}\n${mark.key}`);
  return `msg_${digest.digest('hex').slice(0, 32)}` as MessageId;
}
