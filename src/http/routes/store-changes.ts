import { storeChangeSchema, type StoreChangeBody } from '../../../schemas/store';
import type { Sql } from '../../db/client';
import { changeStore, type StoreChange } from '../../db/store-changes';
import { storeNameKey } from '../../db/stores';
import { AppError } from '../../errors';
import { answerOf, ref } from '../../openapi/answer-schemas';
import { STORE } from '../../openapi/examples';
import { STORE_FOREIGN, STORE_MISSING } from '../../openapi/refusals';
import { findOwnPathStore, storeNotFound } from '../inventory-guards';
import { jsonBody, SMALL_BODY } from '../request-body';
import { noQuery, type Route, route, token } from '../route';
import { renderStore } from '../store-answers';
import { toDegrees, wantedCountryCode, wantedDirection } from '../wanted-store';

export interface StoreChangeDeps {
  readonly sql: Sql;
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
      'Only the fields that are given; null clears the direction, and both coordinates together.',
    access: token(),
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
        when: 'The store is unknown, or who made it has another store of that name.',
        sentences: [...STORE_MISSING.sentences, 'This name is not available.'],
      },
      STORE_FOREIGN,
      {
        status: 422,
        fields: {
          name: ['The name field is required.'],
          country_code: ['The selected country code is invalid.'],
          direction: ['The direction must be a string.'],
          latitude: ['The latitude format is invalid.', 'The latitude field is required.'],
          longitude: ['The longitude format is invalid.', 'The longitude field is required.'],
          availability_from_stock: ['The selected availability from stock is invalid.'],
        },
      },
    ],
    async handle({ sql }: StoreChangeDeps, { ctx, params, body }) {
      const { storeId } = await findOwnPathStore(sql, ctx.state.caller, params.store_id);
      const changed = await changeStore(sql, storeId, wantedChange(body));
      if (changed === undefined) throw storeNotFound();
      if (changed === 'taken') throw new AppError('name_taken', 'This name is not available.');
      ctx.body = { message: 'Store successfully updated.', data: renderStore(changed) };
    },
  }),
];

function wantedChange(body: StoreChangeBody): StoreChange {
  const { name, country_code: countryCode, direction } = body;
  const { availability_from_stock: availabilityFromStock } = body;
  return {
    ...(name === undefined ? {} : { name: { shown: name.trim(), key: storeNameKey(name) } }),
    ...(countryCode === undefined ? {} : { countryCode: wantedCountryCode(countryCode) }),
    ...(direction === undefined ? {} : { direction: wantedDirection(direction) }),
    ...(body.latitude === undefined ? {} : { point: wantedPoint(body) }),
    ...(availabilityFromStock === undefined ? {} : { availabilityFromStock }),
  };
}

/** The schema lets no coordinate come alone, nor one of them null. */
function wantedPoint(body: StoreChangeBody): StoreChange['point'] & (object | null) {
  const [latitude, longitude] = [toDegrees(body.latitude), toDegrees(body.longitude)];
  return latitude === null || longitude === null ? null : { latitude, longitude };
}
