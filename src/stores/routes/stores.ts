import { storeCreateSchema, type StoreCreate } from '../../../schemas/store';
import { toNameKey } from '../../platform/text/name-key';
import { findStoreAccess } from '../../users/sql/store-access';
import type { Sql } from '../../platform/db/client';
import { insertStore, reserveStoreId } from '../sql/stores';
import { AppError } from '../../platform/errors';
import { answerOf, ref } from '../../contract/answer-schemas';
import { NEW_STORE } from '../../contract/examples';
import { keyLost } from '../../http/idempotency-key-lost';
import { jsonBody, SMALL_BODY } from '../../http/body/request-body';
import { noQuery, type Route, route, token } from '../../http/route';
import type { RequestContext } from '../../http/state';
import { renderNewStore } from '../store-answers';
import { toDegrees, wantedCountryCode, wantedDirection } from '../wanted-store';

export interface StoreDeps {
  readonly sql: Sql;
}

export const STORE_ROUTES: readonly Route<StoreDeps>[] = [
  route({
    id: 'createStore',
    method: 'post',
    path: '/api/v1/store',
    parameters: {},
    group: 'Stores',
    summary: 'Create a store',
    description: 'The new store is yours.',
    access: token({ deletedUser: 'user_missing' }),
    idempotency: 'kept',
    query: noQuery,
    body: jsonBody<typeof storeCreateSchema, StoreCreate>({
      name: 'StoreCreate',
      schema: storeCreateSchema,
      maxBytes: SMALL_BODY,
      example: {
        name: 'Centro',
        country_code: 'MX',
        direction: 'Av. Juárez 1',
        latitude: '19.4342',
        longitude: '-99.1413',
        time_zone: 'America/Mexico_City',
      },
    }),
    answers: [
      {
        status: 201,
        schema: answerOf(ref('CreatedStore')),
        examples: {
          created: {
            message: 'Store successfully created.',
            data: NEW_STORE,
          },
        },
      },
      {
        status: 404,
        when: 'You already have a store of that name; case and surrounding spaces are ignored.',
        sentences: ['This name is not available.'],
      },
      {
        status: 422,
        fields: {
          name: ['The name field is required.'],
          country_code: [
            'The country code field is required.',
            'The selected country code is invalid.',
          ],
          direction: ['The direction must be a string.'],
          latitude: ['The latitude format is invalid.', 'The latitude field is required.'],
          longitude: ['The longitude format is invalid.', 'The longitude field is required.'],
          time_zone: ['The selected time zone is invalid.'],
        },
      },
    ],
    async handle({ sql }: StoreDeps, { ctx, body }) {
      const store = wantedStore(body);
      const storeId = await createStore(sql, ctx, store);
      ctx.status = 201;
      ctx.body = {
        message: 'Store successfully created.',
        data: renderNewStore({ storeId, ...store }),
      };
    },
  }),
];

type WantedStore = ReturnType<typeof wantedStore>;

/** The requested store, in the form in which it is stored. */
function wantedStore(body: StoreCreate) {
  return {
    name: body.name.trim(),
    countryCode: wantedCountryCode(body.country_code),
    direction: wantedDirection(body.direction),
    latitude: toDegrees(body.latitude),
    longitude: toDegrees(body.longitude),
    timeZone: body.time_zone ?? null,
  };
}

/** Returns its id. A retry of a request whose process died finds the store that the first try created. */
async function createStore(sql: Sql, ctx: RequestContext, store: WantedStore): Promise<number> {
  const taken = new AppError('name_taken', 'This name is not available.');
  const { boundId, caller, heldKey } = ctx.state;
  if (boundId !== null) {
    if (await findStoreAccess(sql, caller.userId, Number(boundId))) return Number(boundId);
    throw taken;
  }
  const storeId = await reserveStoreId(sql);
  const inserted = await insertStore(sql, {
    ...store,
    storeId,
    nameKey: toNameKey(store.name),
    createdBy: caller.userId,
    heldKey,
  });
  switch (inserted) {
    case 'made':
      return storeId;
    case 'taken':
      throw taken;
    case 'key_lost':
      throw keyLost();
  }
}
