import { boundIdOf } from '../../http/request-identity';
import { deliveryResendSchema } from '../../../schemas/lists';
import type { Sql } from '../../platform/db/client';
import {
  type Chosen,
  countResendable,
  filterOf,
  scopeOfResend,
  type Window,
  windowsOf,
} from '../choose-resends';
import { announceDeliveries } from '../sql/announcements';
import {
  databaseNow,
  findMissingWebhookOrStore,
  listResendTargets,
  resendBatch,
  resendDelivery,
  type ResendScope,
} from '../sql/resends';
import { type Id, newId, type SubscriptionId } from '../../platform/ids';
import { answerOf, ref } from '../../contract/answer-schemas';
import { record } from '../../contract/answers';
import { DELIVERY_ID, SYSTEM_ID } from '../../contract/examples';
import { storeNotFound, viewerOf } from '../../users/guards';
import { findSeenSystem } from '../../inventory/guards';
import { keyLost } from '../../http/idempotency-key-lost';
import { emptyBody, jsonBody, SMALL_BODY } from '../../http/body/request-body';
import { noQuery, type Route, route, token } from '../../http/route';
import { bindKey } from '../../http/sql/idempotency';
import type { BoundPermits } from '../../platform/admission/permits';
import type { UserId } from '../../platform/ids';
import { webhookNotFound } from '../selected-webhook';
import { permitted, type RequestPermits } from '../../http/admission/request-permits';
import type { RequestContext } from '../../http/state';
import { DELIVERY_FILTER_REFUSALS, DELIVERY_MISSING, findOwnPathDelivery } from './deliveries';

export interface DeliveryResendDeps {
  readonly sql: Sql;
  readonly resendPermits: BoundPermits<UserId>;
  readonly largeInserts: RequestPermits;
}

/** Rows in one statement of a resend by filter, far below a statement's deadline. */
const BATCH = 1_000;

const COUNT = answerOf(ref('ResentDeliveries'));

const RESEND_BODY = jsonBody({
  name: 'DeliveryResend',
  schema: deliveryResendSchema,
  maxBytes: SMALL_BODY,
  example: { inventory_system_id: SYSTEM_ID, type: 2, state: 'exhausted', dry_run: true },
});

export const DELIVERY_RESEND_ROUTES: readonly Route<DeliveryResendDeps>[] = [
  route({
    id: 'resendDelivery',
    method: 'post',
    path: '/api/v1/webhooks/deliveries/{delivery_id}/resend',
    parameters: { delivery_id: DELIVERY_ID },
    group: 'Deliveries',
    summary: 'Resend one delivery',
    description: 'Sends the same delivery with the same `webhook-id` and a new retry table.',
    access: token({ acts: true }),
    idempotency: 'kept',
    query: noQuery,
    body: emptyBody,
    answers: [
      {
        status: 202,
        schema: answerOf(record({ delivery_id: { type: 'string' } })),
        examples: { resent: { message: 'Success.', data: { delivery_id: DELIVERY_ID } } },
        link: { operation: 'getDelivery', parameter: 'delivery_id', pointer: '/data/delivery_id' },
      },
      {
        status: 404,
        when: 'The delivery is unknown, its webhook or store was deleted, or it is an event for a user who is not active.',
        sentences: [
          ...DELIVERY_MISSING.sentences,
          'The webhook was not found.',
          'The store was not found.',
        ],
      },
    ],
    async handle(deps: DeliveryResendDeps, { ctx, params }) {
      const delivery = await findOwnPathDelivery(deps.sql, ctx, params.delivery_id);
      const { deliveryId, subscriptionId } = delivery;
      const { boundId, heldKey } = ctx.state;
      requireWebhookAndStore(await findMissingWebhookOrStore(deps.sql, deliveryId));
      if (boundId === null && !(await resendDelivery(deps.sql, deliveryId, heldKey)))
        throw keyLost();
      await announceDeliveries(deps.sql, [subscriptionId]);
      ctx.status = 202;
      ctx.body = { message: 'Success.', data: { delivery_id: deliveryId } };
    },
  }),
  route({
    id: 'resendDeliveries',
    method: 'post',
    path: '/api/v1/webhooks/deliveries/resend',
    parameters: {},
    group: 'Deliveries',
    summary: 'Resend deliveries by filter',
    description:
      'Sends all ended deliveries of your own inventory systems that match; with `events` those of your webhook for events.',
    access: token({ acts: true }),
    idempotency: 'kept',
    query: noQuery,
    body: RESEND_BODY,
    answers: [
      {
        status: 200,
        when: 'With `dry_run`: nothing is sent.',
        schema: COUNT,
        examples: { counted: { message: 'Success.', data: { count: 12 } } },
      },
      {
        status: 202,
        schema: COUNT,
        examples: { resent: { message: 'Success.', data: { count: 12 } } },
      },
      {
        status: 422,
        fields: { ...DELIVERY_FILTER_REFUSALS, dry_run: ['The selected dry run is invalid.'] },
      },
      {
        status: 503,
        when: 'Two of your resends or counts by filter are at work.',
        sentences: ['The service is busy.'],
        headers: ['Retry-After'],
      },
    ],
    handle(deps: DeliveryResendDeps, { ctx, body }) {
      const release = deps.resendPermits.take(ctx.state.caller.userId);
      return permitted(release, () => resendMatching(deps, ctx, body));
    },
  }),
];

/** Deliveries to a deleted webhook or a user who is not active, or about a deleted store, are not sent. */
function requireWebhookAndStore(missing: 'webhook' | 'store' | null): void {
  if (missing === 'webhook') throw webhookNotFound();
  if (missing === 'store') throw storeNotFound();
}

/** Sends the matching ended deliveries of the caller's own systems again; pending ones go out anyway. */
async function resendMatching(
  deps: DeliveryResendDeps,
  ctx: RequestContext,
  body: Chosen,
): Promise<void> {
  const { caller, heldKey } = ctx.state;
  if (body.dry_run) {
    const filter = filterOf(body);
    const { inventorySystemId } = filter;
    if (inventorySystemId !== undefined) await findSeenSystem(deps.sql, caller, inventorySystemId);
    const { count } = await countResendable(deps.sql, { viewer: viewerOf(caller), filter });
    ctx.body = { message: 'Success.', data: { count } };
    return;
  }
  const scope = await scopeOfResend(deps.sql, caller, body);
  const bound = boundIdOf(ctx.state, 'rsd');
  const resendId = bound ?? newId('rsd', Math.floor(await databaseNow(deps.sql)));
  if (!bound && !(await bindKey(deps.sql, heldKey, resendId))) throw keyLost();
  const count = await resendAll(deps, { ...scope, endedBefore: timeOf(resendId) });
  ctx.status = 202;
  ctx.body = { message: 'Success.', data: { count } };
}

/** In batches, ordered by id; the deliveries of each batch start to go out while the next one is written. */
async function resendAll(deps: DeliveryResendDeps, scope: ResendScope): Promise<number> {
  let count = 0;
  for (const subscriptionId of await listResendTargets(deps.sql, scope)) {
    for await (const window of windowsOf(deps.sql, scope, subscriptionId)) {
      if (window.count > 0) count += await resendWindow(deps, scope, subscriptionId, window);
    }
  }
  return count;
}

async function resendWindow(
  deps: DeliveryResendDeps,
  scope: ResendScope,
  subscriptionId: SubscriptionId,
  { upTo, ...window }: Window,
): Promise<number> {
  let count = 0;
  let after: string | undefined = window.after;
  while (after !== undefined) {
    const part: Parameters<typeof resendBatch>[3] = { after, upTo, limit: BATCH };
    const batch: readonly string[] = await deps.largeInserts.run(scope.viewer.userId, () =>
      resendBatch(deps.sql, scope, subscriptionId, part),
    );
    count += batch.length;
    if (batch.length > 0) await announceDeliveries(deps.sql, [subscriptionId]);
    after = batch.length < BATCH ? undefined : batch.at(-1);
  }
  return count;
}

/**
 * When a resend began, taken from its time-ordered id. A retry after a crash skips deliveries that ended since then,
 * as its first try may have sent them.
 */
function timeOf(resendId: Id<'rsd'>): number {
  return Number.parseInt(resendId.slice('rsd_'.length, 'rsd_'.length + 12), 16);
}
