import { deliveryListSchema } from '../../../schemas/lists';
import { oneOrTwo } from '../../http/one-or-two';
import type { Sql } from '../../platform/db/client';
import {
  type DeliveryFilter,
  type DeliveryView,
  findDelivery,
  listAttempts,
} from '../sql/delivery-views';
import { listDeliveries } from '../sql/delivery-lists';
import { type DeliveryState } from '../delivery';
import { namedDeliveryId } from '../delivery-ids';
import { type EventType, isEventType } from '../platform-events';
import type { WebhookType } from '../payload';
import { AppError, fieldError } from '../../platform/errors';
import { HINTS } from '../../platform/validation/hints';
import { answerOf, pageAnswer, ref } from '../../contract/answer-schemas';
import { DELIVERY, DELIVERY_ID, DELIVERY_WITH_ATTEMPTS } from '../../contract/examples';
import type { Refusal } from '../../contract/answers';
import { PAGE_FIELDS } from '../../contract/refusals';
import { renderDelivery, renderDeliveryWithAttempts } from '../delivery-answers';
import type { WaitingDeps } from '../../uploads/read-upload-waits';
import { whyDeliveriesWait } from '../read-delivery-waits';
import { findToActOn, viewerOf } from '../../users/guards';
import { requireSystemId } from '../../inventory/guards';
import { idKey, pageOf, readPage } from '../../http/paging';
import { noBody } from '../../http/body/request-body';
import { noQuery, query, type Route, route, token } from '../../http/route';
import type { RequestContext } from '../../http/state';

export type DeliveryDeps = WaitingDeps;

export const DELIVERY_MISSING: Refusal = {
  status: 404,
  sentences: ['The delivery was not found.'],
};

/** Possible errors in a filter of deliveries. */
export const DELIVERY_FILTER_REFUSALS = {
  events: ['The selected events is invalid.'],
  inventory_system_id: ['The selected inventory system id is invalid.'],
  type: ['The selected type is invalid.'],
  state: ['The selected state is invalid.'],
};

export const DELIVERY_ROUTES: readonly Route<DeliveryDeps>[] = [
  route({
    id: 'getDelivery',
    method: 'get',
    path: '/api/v1/webhooks/deliveries/{delivery_id}',
    parameters: { delivery_id: DELIVERY_ID },
    group: 'Deliveries',
    summary: 'See one delivery',
    description:
      'Includes its attempts. For the owner of the inventory system, users of the store, and operators.',
    access: token(),
    idempotency: 'none',
    query: noQuery,
    body: noBody,
    answers: [
      {
        status: 200,
        schema: answerOf(ref('DeliveryWithAttempts')),
        examples: { acknowledged: { message: 'Success.', data: DELIVERY_WITH_ATTEMPTS } },
      },
      DELIVERY_MISSING,
    ],
    async handle(deps: DeliveryDeps, { ctx, params }) {
      const { sql } = deps;
      const delivery = await findPathDelivery(sql, ctx, params.delivery_id);
      const attempts = await listAttempts(sql, delivery.deliveryId);
      const waits = await whyDeliveriesWait(deps, [delivery]);
      const data = renderDeliveryWithAttempts(delivery, attempts, waits.get(delivery.deliveryId));
      ctx.body = { message: 'Success.', data };
    },
  }),
  route({
    id: 'listDeliveries',
    method: 'get',
    path: '/api/v1/webhooks/deliveries',
    parameters: {},
    group: 'Deliveries',
    summary: 'List deliveries',
    description:
      'Newest first. With `events=true` the deliveries of your webhook for events, otherwise those to inventory systems. A page may have fewer entries than `limit`, even none, while `next_cursor` leads on: if few deliveries match the filter, each request searches only a part of the time.',
    access: token(),
    slow: 'searches',
    idempotency: 'none',
    query: query(deliveryListSchema),
    body: noBody,
    answers: [
      {
        status: 200,
        schema: pageAnswer(ref('Delivery')),
        examples: { page: { message: 'Success.', data: [DELIVERY], next_cursor: null } },
      },
      {
        status: 422,
        fields: {
          ...DELIVERY_FILTER_REFUSALS,
          ...PAGE_FIELDS,
        },
      },
    ],
    async handle(deps: DeliveryDeps, { ctx, query: given }) {
      const page = readPage(idKey('dlv'), given);
      const { rows, continuesBehind } = await listDeliveries(deps.sql, viewerOf(ctx.state.caller), {
        ...toDeliveryFilter({ ...given, events: given.events === 'true' }),
        ...page.wanted,
      });
      const waits = await whyDeliveriesWait(deps, rows);
      ctx.body = pageOf(
        rows,
        page,
        (row) => row.deliveryId,
        (row) => renderDelivery(row, waits.get(row.deliveryId)),
        continuesBehind,
      );
    },
  }),
];

/** The delivery named in a path. Another user's delivery is as unknown as one that does not exist. */
export async function findPathDelivery(
  sql: Sql,
  ctx: RequestContext,
  deliveryId: string,
): Promise<DeliveryView> {
  const named = namedDeliveryId(deliveryId);
  const found = named && (await findDelivery(sql, viewerOf(ctx.state.caller), named));
  if (!found) throw deliveryNotFound();
  return found;
}

/** The same of a delivery that the caller sends again; throws the 403 if they only see it. */
export async function findOwnPathDelivery(
  sql: Sql,
  { state: { caller } }: RequestContext,
  deliveryId: string,
): Promise<DeliveryView> {
  const named = namedDeliveryId(deliveryId);
  const found = named && (await findToActOn(caller, (viewer) => findDelivery(sql, viewer, named)));
  if (!found) throw deliveryNotFound();
  return found;
}

function deliveryNotFound(): AppError {
  return new AppError('not_found', 'The delivery was not found.');
}

/** The filter of the list and of the resend; an unknown system or another user's simply has no deliveries. */
export function toDeliveryFilter(given: {
  readonly events: boolean;
  readonly inventory_system_id?: string | null | undefined;
  readonly type?: string | number | null | undefined;
  readonly state?: DeliveryState | null | undefined;
}): DeliveryFilter {
  const { events, inventory_system_id: inventorySystemId, type, state } = given;
  return {
    events,
    ...(isGiven(inventorySystemId)
      ? { inventorySystemId: requireSystemId(inventorySystemId) }
      : {}),
    ...(type ? { type: typeOf(events, type) } : {}),
    ...(state ? { state } : {}),
  };
}

/** Events have their own types. */
function typeOf(events: boolean, type: string | number): WebhookType | EventType {
  if (events === isEventType(type)) return isEventType(type) ? type : oneOrTwo(type);
  throw fieldError('type', 'The selected type is invalid.', {
    value: type,
    hint: HINTS.deliveryType,
  });
}

function isGiven<T>(value: T | null | undefined): value is T {
  return value !== null && value !== undefined;
}
