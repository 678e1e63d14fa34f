import Router from '@koa/router';
import { storeCreateSchema, type StoreCreate } from '../../../schemas/store';
import type { Sql } from '../../db/client';
import { findStoreAccess, insertStore, reserveStoreId, storeNameKey } from '../../db/stores';
import { findCountry } from '../../domain/countries';
import { AppError } from '../../errors';
import { createValidator } from '../../validation';
import { accepted, requireActiveUser } from '../guards';
import { markLost } from '../mark-lost';
import { idempotent, type IdempotentDeps } from '../middleware/idempotent';
import { readJson, SMALL_BODY } from '../middleware/read-json';
import type { RequestContext, RequestState } from '../state';

export interface StoreDeps extends IdempotentDeps {
  readonly sql: Sql;
}

const validateBody = createValidator<typeof storeCreateSchema, StoreCreate>(storeCreateSchema);

/** A store as it is asked for, in the form in which it is kept. */
interface WantedStore {
  readonly name: string;
  readonly countryCode: string;
  readonly countryName: string;
  readonly direction: string | null;
  readonly latitude: number | null;
  readonly longitude: number | null;
}

export function storeRoutes(deps: StoreDeps): Router<RequestState> {
  const router = new Router<RequestState>();
  router.post('/store', readJson(SMALL_BODY), idempotent(deps), async (ctx) => {
    const store = wantedStore(accepted(validateBody(ctx.state.json)));
    requireActiveUser(ctx.state.caller, 'user_missing');
    const storeId = await createStore(deps.sql, ctx, store);
    ctx.status = 201;
    ctx.body = { message: 'Store successfully created.', data: renderStore(storeId, store) };
  });
  return router;
}

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
