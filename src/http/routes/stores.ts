import { storeCreateSchema, type StoreCreate } from '../../../schemas/store';
import type { Sql } from '../../db/client';
import { findStoreAccess, insertStore, reserveStoreId, storeNameKey } from '../../db/stores';
import { findCountry } from '../../domain/countries';
import { AppError } from '../../errors';
import { answerOf, ref } from '../../openapi/answer-schemas';
import { markLost } from '../mark-lost';
import { jsonBody, SMALL_BODY } from '../request-body';
import { noQuery, type Route, route, token } from '../route';
import type { RequestContext } from '../state';

export interface StoreDeps {
  readonly sql: Sql;
}

/** A store as it is asked for, in the form in which it is kept. */
interface WantedStore {
  readonly name: string;
  readonly countryCode: string;
  readonly countryName: string;
  readonly direction: string | null;
  readonly latitude: number | null;
  readonly longitude: number | null;
}

export const STORE_ROUTES: readonly Route<StoreDeps>[] = [
  route({
    id: 'createStore',
    method: 'post',
    path: '/api/v1/store',
    parameters: {},
    group: 'Stores',
    summary: 'Create a store',
    description: 'You have the store that you create.',
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
      },
    }),
    answers: [
      {
        status: 201,
        schema: answerOf(ref('Store')),
        examples: {
          created: {
            message: 'Store successfully created.',
            data: {
              id: 2,
              name: 'Centro',
              country: 'Mexico',
              direction: 'Av. Juárez 1',
              location_point: { type: 'Point', coordinates: [-99.1413, 19.4342] },
            },
          },
        },
      },
      {
        status: 404,
        when: 'You have a store of that name already; case and outer blanks do not count.',
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
        },
      },
    ],
    async handle({ sql }: StoreDeps, { ctx, body }) {
      const store = wantedStore(body);
      const storeId = await createStore(sql, ctx, store);
      ctx.status = 201;
      ctx.body = { message: 'Store successfully created.', data: renderStore(storeId, store) };
    },
  }),
];

function wantedStore(body: StoreCreate): WantedStore {
  const country = findCountry(body.country_code);
  // The schema's format `country-code` is this very look-up.
  if (!country) throw new Error('a country code that passed its check names no country');
  return {
    name: body.name.trim(),
    countryCode: country.code,
    countryName: country.name,
    direction: body.direction || null,
    latitude: toDegrees(body.latitude),
    longitude: toDegrees(body.longitude),
  };
}

function toDegrees(value: string | number | null | undefined): number | null {
  return value === null || value === undefined ? null : Number(value);
}

/** Its id. A retry of a request whose process died finds the store that it had made. */
async function createStore(sql: Sql, ctx: RequestContext, store: WantedStore): Promise<number> {
  const taken = new AppError('name_taken', 'This name is not available.');
  const { boundId, caller, mark } = ctx.state;
  if (boundId !== null) {
    if (await findStoreAccess(sql, caller.userId, Number(boundId))) return Number(boundId);
    throw taken;
  }
  const storeId = await reserveStoreId(sql);
  const inserted = await insertStore(sql, {
    ...store,
    storeId,
    nameKey: storeNameKey(store.name),
    createdBy: caller.userId,
    mark,
  });
  switch (inserted) {
    case 'made':
      return storeId;
    case 'taken':
      throw taken;
    case 'mark_lost':
      throw markLost();
  }
}

function renderStore(id: number, store: WantedStore) {
  const { latitude, longitude } = store;
  return {
    id,
    name: store.name,
    country: store.countryName,
    direction: store.direction,
    // GeoJSON puts the longitude first.
    location_point:
      latitude === null || longitude === null
        ? null
        : { type: 'Point', coordinates: [longitude, latitude] },
  };
}
