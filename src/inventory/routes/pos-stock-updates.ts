import { settleInBackground, storeMovement } from '../../availability/settle-movements';
import { oneOrTwo } from '../../http/one-or-two';
import type { Log } from '../../platform/observe/log';
import type { Waker } from '../../platform/queue/waker';
import { createHash } from 'node:crypto';
import { posStockUpdateSchema, type PosStockUpdate } from '../../../schemas/inventory-system';
import type { Sql } from '../../platform/db/client';
import type { BoundPermits } from '../../platform/admission/permits';
import { insertUnansweredPosRequest } from '../sql/pos-requests';
import { findStorePos, type StorePos } from '../sql/pos-systems';
import { boundIdOf } from '../../http/request-identity';
import { AppError, fieldError } from '../../platform/errors';
import { type MessageId, newId, type UserId } from '../../platform/ids';
import { permitted } from '../../http/admission/request-permits';
import { ref } from '../../contract/answer-schemas';
import { MOVEMENT, SYSTEM_ID } from '../../contract/examples';
import { MOVEMENT_REFUSALS, STORE_FOREIGN, STORE_MISSING } from '../../contract/refusals';
import {
  type PosAnswer,
  type PosClient,
  type PosStockMovement,
  type PosStockRequest,
  posStockBody,
} from '../pos-client';
import { parseRowId, requireStore, findPathStore } from '../../users/guards';
import { findOwnSystem } from '../guards';
import { jsonBody, SMALL_BODY } from '../../http/body/request-body';
import { noQuery, type Route, route, token } from '../../http/route';
import type { RequestContext } from '../../http/state';

export interface PosStockUpdateDeps {
  readonly sql: Sql;
  readonly waker: Waker;
  readonly log: Log;
  readonly pos: PosClient;
  /** For the updates that wait for a POS. */
  readonly posUpdatePermits: BoundPermits<UserId>;
}

interface AcceptedUpdate {
  readonly pos: StorePos;
  readonly movement: PosStockMovement;
}

/**
 * Stock updates from an inventory system to a store's POS: forwarded at once, with the POS's own errors passed
 * through.
 */
export const POS_STOCK_UPDATE_ROUTES: readonly Route<PosStockUpdateDeps>[] = [
  route({
    id: 'updatePosStock',
    method: 'post',
    path: '/api/v1/inventory/system/store/{store_id}/pos/stock/update',
    parameters: { store_id: '1' },
    group: 'POS',
    summary: 'Send a stock movement to the POS',
    description:
      'From an inventory system to the POS of a store, forwarded at once. Any error of the POS is passed through unchanged, status and ' +
      'body, with `X-Error-Source: pos`; it can be any status.\n\nSend an `Idempotency-Key`: the POS gets it too, so that a retry after a 504 is safe.',
    access: token({ acts: true }),
    idempotency: 'kept',
    query: noQuery,
    body: jsonBody({
      name: 'PosStockUpdate',
      schema: posStockUpdateSchema,
      maxBytes: SMALL_BODY,
      example: {
        inventory_system_id: SYSTEM_ID,
        pos_id: '1',
        ...MOVEMENT,
        current_stock: '12',
        quantity: '3',
        movement_type: 1,
      },
    }),
    answers: [
      {
        status: 200,
        schema: ref('Done'),
        examples: { updated: { message: 'Stock successfully updated.', data: null } },
      },
      STORE_MISSING,
      STORE_FOREIGN,
      {
        status: 422,
        fields: {
          inventory_system_id: ['The selected inventory system id is invalid.'],
          pos_id: ['The pos id field is required.', 'The selected pos id is invalid.'],
          ...MOVEMENT_REFUSALS,
        },
      },
      {
        status: 502,
        when: 'The POS was certainly not reached, or it answered with a redirect.',
        sentences: ['The POS system did not answer.', 'The POS system answered unexpectedly.'],
      },
      {
        status: 504,
        when: 'The POS may or may not have acted.',
        sentences: ['The POS system did not answer in time.'],
      },
      {
        status: 'default',
        when: 'An error of the POS: its status and its JSON. Text that is not JSON comes in the form of our errors.',
        schema: {},
        examples: { refused: { code: 'UNKNOWN_ITEM', message: 'There is no such item.' } },
        headers: ['X-Error-Source'],
      },
    ],
    async handle(deps: PosStockUpdateDeps, { ctx, params, body }) {
      const update = await acceptUpdate(deps, ctx, params.store_id, body);
      return () => forward(deps, ctx, update);
    },
  }),
];

async function acceptUpdate(
  { sql }: PosStockUpdateDeps,
  ctx: RequestContext,
  pathStoreId: string,
  body: PosStockUpdate,
): Promise<AcceptedUpdate> {
  const { caller } = ctx.state;
  const access = await findPathStore(sql, caller, pathStoreId);
  requireStore(caller, access);
  const { storeId } = access;
  const { inventorySystemId } = await findOwnSystem(sql, caller, body.inventory_system_id);
  const posId = parseRowId(body.pos_id);
  const pos = posId === undefined ? undefined : await findStorePos(sql, storeId, posId);
  if (!pos) throw fieldError('pos_id', 'The selected pos id is invalid.', { value: body.pos_id });
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
  // An earlier try of the request stored what it moves, which happens only after the POS has accepted it.
  if (boundIdOf(ctx.state, 'mov') !== null) return answerUpdate(ctx, { kind: 'updated' });
  const request = {
    body: posStockBody(movement),
    messageId: messageIdFor(ctx),
    idempotencyKey: ctx.state.heldKey?.key ?? null,
  };
  const { answer, ms } = await askPos(deps, ctx, pos, request);
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
  if (answer.kind === 'updated' && pos.countsStock) {
    const { heldKey } = ctx.state;
    const { timeZone } = pos;
    const update = { ...movement, timeZone, eventId: null, deliveries: 0, waitMs: 0, heldKey };
    // Kept before the answer, so that a process that dies after it loses nothing.
    settleInBackground(deps, await storeMovement(deps, update), false);
  }
  answerUpdate(ctx, answer);
}

/** Sends the update and waits for the POS. Throws the 503 if it gets no permit to wait; then nothing is sent. */
async function askPos(
  { pos: client, posUpdatePermits }: PosStockUpdateDeps,
  ctx: RequestContext,
  pos: StorePos,
  request: PosStockRequest,
) {
  return permitted(posUpdatePermits.take(ctx.state.caller.userId), () => {
    // Until the POS answers, nothing is done here.
    ctx.state.onRowWritten?.();
    return client.updateStock(pos, request);
  });
}

function answerUpdate(ctx: RequestContext, answer: PosAnswer): void {
  switch (answer.kind) {
    case 'updated':
      ctx.body = { message: 'Stock successfully updated.', data: null };
      return;
    case 'refused':
      // Not thrown, because an error of ours would be reworded or turned into problem+json.
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

/**
 * With an idempotency key it is the same for every try, so that a POS that uses `webhook-id` sees one movement too.
 */
function messageIdFor(ctx: RequestContext): MessageId {
  const { heldKey } = ctx.state;
  if (!heldKey) return newId('msg');
  const digest = createHash('sha256').update(`${heldKey.userId}\n${heldKey.path}\n${heldKey.key}`);
  return `msg_${digest.digest('hex').slice(0, 32)}` as MessageId;
}
