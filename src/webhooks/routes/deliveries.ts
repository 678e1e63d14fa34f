import { deliveryListSchema } from '../../../schemas/lists';
import { madeBy } from '../../http/made-by';
import { publicationFilter } from '../../uploads/publication-filter';
import { oneOrTwo } from '../../http/one-or-two';
import type { Sql } from '../../platform/db/client';
import {
  type DeliveryFilter,
  type DeliveryView,
  findDelivery,
  findPayload,
  findPayloadSize,
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
import { withAnswerBudget } from '../../http/admission/answer-budget';
import { answerPieces } from '../../http/answer-pieces';
import type { BoundShares } from '../../platform/admission/permits';
import { readSentPayload, sentBy } from '../sent-payload';
import { DELIVERY, DELIVERY_ID } from '../../contract/examples';
import { DELIVERY_WITH_PAYLOAD } from '../../contract/payload-example';
import type { Refusal } from '../../contract/answers';
import { BUSY, PAGE_FIELDS, TIME_FIELDS } from '../../contract/refusals';
import { renderDelivery, renderDeliveryWithAttempts } from '../delivery-answers';
import type { WaitingDeps } from '../../uploads/read-upload-waits';
import { whyDeliveriesWait } from '../read-delivery-waits';
import { findToActOn, viewerOf } from '../../users/guards';
import { requireSystemId } from '../../inventory/guards';
import { idKey, pageOf, readPage } from '../../http/paging';
import { noBody } from '../../http/body/request-body';
import { noQuery, query, type Route, route, token } from '../../http/route';
import type { RequestContext } from '../../http/state';

export interface DeliveryDeps extends WaitingDeps {
  readonly bodyBudget: BoundShares;
}

const NO_PAYLOAD = 'The delivery has no payload.';

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
  store_id: ['The selected store id is invalid.'],
  receiver_status: ['The selected receiver status is invalid.'],
  ...TIME_FIELDS,
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
      'Includes its attempts, and the payload as it was sent last. For the owner of the inventory system, users of the store, and operators.',
    access: token(),
    idempotency: 'none',
    query: noQuery,
    body: noBody,
    answers: [
      {
        status: 200,
        schema: answerOf(ref('DeliveryWithPayload')),
        examples: { acknowledged: { message: 'Success.', data: DELIVERY_WITH_PAYLOAD } },
      },
      DELIVERY_MISSING,
    ],
    async handle(deps: DeliveryDeps, { ctx, params }) {
      const { sql } = deps;
      const delivery = await findPathDelivery(sql, ctx, params.delivery_id);
      const attempts = await listAttempts(sql, delivery.deliveryId);
      const waits = await whyDeliveriesWait(deps, [delivery]);
      const payload = await readSentPayload(sql, delivery, attempts);
      const shown = renderDeliveryWithAttempts(delivery, attempts, waits.get(delivery.deliveryId));
      const members = JSON.stringify({ ...shown, payload_url: payload.url }).slice(0, -1);
      // Not parsed and written again: numbers would change.
      answerPieces(ctx, 'application/json', [
        `{"message":"Success.","data":${members},"payload":${payload.json ?? 'null'}}}`,
      ]);
    },
  }),
  route({
    id: 'getDeliveryPayload',
    method: 'get',
    path: '/api/v1/webhooks/deliveries/{delivery_id}/payload',
    parameters: { delivery_id: DELIVERY_ID },
    group: 'Deliveries',
    summary: 'See the payload of a delivery',
    description: 'The JSON as it was sent last, also if it is large.',
    access: token(),
    slow: 'reads texts',
    idempotency: 'none',
    query: noQuery,
    body: noBody,
    answers: [
      {
        status: 200,
        schema: ref('PayloadAnswer'),
        examples: { stock: { message: 'Success.', data: DELIVERY_WITH_PAYLOAD.payload } },
      },
      {
        ...DELIVERY_MISSING,
        when: 'The delivery is unknown, or nothing was sent yet.',
        sentences: [...DELIVERY_MISSING.sentences, NO_PAYLOAD],
      },
      BUSY,
    ],
    async handle(deps: DeliveryDeps, { ctx, params }) {
      const { sql, bodyBudget: budget } = deps;
      const delivery = await findPathDelivery(sql, ctx, params.delivery_id);
      const last = (await listAttempts(sql, delivery.deliveryId)).at(-1);
      if (last === undefined) throw new AppError('not_found', NO_PAYLOAD);
      const payload = await withAnswerBudget(ctx, {
        budget,
        async make(hold) {
          const bytes = await findPayloadSize(sql, delivery.deliveryId);
          hold(bytes);
          const stored = await findPayload(sql, delivery.deliveryId, bytes);
          // Retention has removed it since.
          if (stored === null) throw deliveryNotFound();
          return Buffer.from(sentBy(delivery, stored, last));
        },
        sizeOf: ({ length }) => length,
      });
      answerPieces(ctx, 'application/json', ['{"message":"Success.","data":', payload, '}']);
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
          receiver_status: [
            'The receiver status must be a number.',
            ...DELIVERY_FILTER_REFUSALS.receiver_status,
          ],
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
  readonly store_id?: string | number | null | undefined;
  readonly external_id?: string | null | undefined;
  readonly receiver_status?: string | number | null | undefined;
  readonly since?: string | null | undefined;
  readonly until?: string | null | undefined;
  readonly request_id?: string | null | undefined;
}): DeliveryFilter {
  const { events, inventory_system_id: inventorySystemId, type, state } = given;
  const { external_id: externalId, receiver_status: receiverStatus } = given;
  const { since, until, request_id: requestId } = given;
  return {
    events,
    ...(isGiven(inventorySystemId)
      ? { inventorySystemId: requireSystemId(inventorySystemId) }
      : {}),
    ...(type ? { type: typeOf(events, type) } : {}),
    ...(state ? { state } : {}),
    ...publicationFilter({ store_id: given.store_id ?? undefined }),
    ...(isGiven(externalId) ? { externalId } : {}),
    ...(isGiven(receiverStatus) ? { receiverStatus: Number(receiverStatus) } : {}),
    ...madeBy({
      since: since ?? undefined,
      until: until ?? undefined,
      request_id: requestId ?? undefined,
    }),
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
