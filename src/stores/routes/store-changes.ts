import { wakeAvailability } from '../../availability/settle-movements';
import { findOwnPathStore, storeNotFound } from '../../users/guards';
import { toNameKey } from '../../platform/text/name-key';
import { changeTimeZone } from '../../availability/sql/time-zone-changes';
import { forgetStock } from '../../availability/sql/stock-movements';
import type { Waker } from '../../platform/queue/waker';
import { storeChangeSchema, type StoreChangeBody } from '../../../schemas/store';
import type { Sql } from '../../platform/db/client';
import { changeStore, type StoreChange } from '../sql/store-changes';
import { AppError } from '../../platform/errors';
import { answerOf, ref } from '../../contract/answer-schemas';
import { STORE } from '../../contract/examples';
import { STORE_FOREIGN, STORE_MISSING } from '../../contract/refusals';
import { jsonBody, SMALL_BODY } from '../../http/body/request-body';
import { noQuery, type Route, route, token } from '../../http/route';
import { renderStore } from '../store-answers';
import { toDegrees, wantedCountryCode, wantedDirection } from '../wanted-store';

export interface StoreChangeDeps {
  readonly sql: Sql;
  readonly waker: Waker;
}

export const STORE_CHANGE_ROUTES: readonly Route<StoreChangeDeps>[] = [
  route({
    id: 'changeStore',
    method: 'patch',
    path: '/api/v1/store/{store_id}',
    parameters: { store_id: '1' },
    group: 'Stores',
    summary: 'Change a store',
    description:
      'Changes only the given fields; null clears the direction, the time zone, and both coordinates together.',
    access: token({ acts: true }),
    idempotency: 'none',
    query: noQuery,
    body: jsonBody<typeof storeChangeSchema, StoreChangeBody>({
      name: 'StoreChange',
      schema: storeChangeSchema,
      maxBytes: SMALL_BODY,
      example: { name: 'Centro', direction: null, availability_from_stock: 'on' },
    }),
    answers: [
      {
        status: 200,
        schema: answerOf(ref('Store')),
        examples: {
          changed: {
            message: 'Store successfully updated.',
            data: { ...STORE, direction: null, availability_from_stock: 'on' },
          },
        },
      },
      {
        status: 404,
        when: 'The store is unknown, or its creator has another store of that name.',
        sentences: [...STORE_MISSING.sentences, 'This name is not available.'],
      },
      {
        ...STORE_FOREIGN,
        when: 'It is another user’s, or it has special days to come, or items with a season, and is to lose its time zone.',
        sentences: [...STORE_FOREIGN.sentences, 'The store must have a time zone.'],
      },
      {
        status: 422,
        fields: {
          name: ['The name field is required.'],
          country_code: ['The selected country code is invalid.'],
          direction: ['The direction must be a string.'],
          latitude: ['The latitude format is invalid.', 'The latitude field is required.'],
          longitude: ['The longitude format is invalid.', 'The longitude field is required.'],
          time_zone: ['The selected time zone is invalid.'],
          availability_from_stock: ['The selected availability from stock is invalid.'],
        },
      },
    ],
    async handle({ sql, waker }: StoreChangeDeps, { ctx, params, body }) {
      const { storeId } = await findOwnPathStore(sql, ctx.state.caller, params.store_id);
      const change = wantedChange(body);
      const { changed, queues } = await changeWithStock(sql, storeId, change);
      await wakeAvailability(waker, queues);
      ctx.body = { message: 'Store successfully updated.', data: renderStore(changed) };
    },
  }),
];

/**
 * Changes a store, and puts back what only stock held off sale if that is switched off: both in one transaction, because
 * otherwise it could stay off for ever. Throws the 404 of an unknown store or a taken name, and the 409 if it is to lose
 * a time zone that it needs.
 */
export function changeWithStock(sql: Sql, storeId: number, change: StoreChange) {
  return sql.begin(async (tx) => {
    const { timeZone } = change;
    const looking = timeZone === undefined ? [] : await changeTimeZone(tx, storeId, timeZone);
    const changed = await changeStore(tx, storeId, change);
    if (changed === undefined) throw storeNotFound();
    if (changed === 'taken') throw new AppError('name_taken', 'This name is not available.');
    const isOff = change.availabilityFromStock === 'off';
    const queues = isOff ? await forgetStock(tx, storeId) : [];
    return { changed, queues: [...looking, ...queues] };
  });
}

function wantedChange(body: StoreChangeBody): StoreChange {
  const { name, country_code: countryCode, direction, time_zone: timeZone } = body;
  const { availability_from_stock: availabilityFromStock } = body;
  return {
    ...(name === undefined ? {} : { name: { shown: name.trim(), key: toNameKey(name) } }),
    ...(countryCode === undefined ? {} : { countryCode: wantedCountryCode(countryCode) }),
    ...(direction === undefined ? {} : { direction: wantedDirection(direction) }),
    ...(body.latitude === undefined ? {} : { point: wantedPoint(body) }),
    ...(timeZone === undefined ? {} : { timeZone }),
    ...(availabilityFromStock === undefined ? {} : { availabilityFromStock }),
  };
}

/** The schema ensures that coordinates come in pairs, both null or both set. */
function wantedPoint(body: StoreChangeBody): StoreChange['point'] & (object | null) {
  const [latitude, longitude] = [toDegrees(body.latitude), toDegrees(body.longitude)];
  return latitude === null || longitude === null ? null : { latitude, longitude };
}
