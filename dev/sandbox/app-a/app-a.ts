import { createRateWindow } from '../rate-window';
import {
  isKnownStore,
  jsonAnswer,
  type AppAnswer,
  type AppCall,
  type AppEnv,
  type AppSimulator,
  type AppSimulatorFactory,
  type SimulatedAppOptions,
} from '../app-simulator';
import { answerToken } from './answer-token';
import { answerHolidayHours } from './holiday-hours';
import { answerChange, isChange } from './change-item';
import { firstBrokenRule, type MarketRules } from './validate-menu';
import { answerItem, answerStatus, READ_APP_A } from './switch-items';
import { createTokenOffice, MENU_SCOPE, STATUS_SCOPE, type TokenOffice } from './tokens';

/** The store that the app knows, and that belongs to no organisation: its set-up was never finished. */
export const STORE_WITHOUT_ORGANISATION = '00000000-0000-4000-8000-000000000400';

const TOKEN_PATH = '/oauth/v2/token';
const MENUS_PATH = /^\/v2\/eats\/stores\/([^/]+)\/menus$/;
const ITEM_PATH = /^\/v2\/eats\/stores\/([^/]+)\/menus\/items\/([^/]+)$/;
const HOLIDAYS_PATH = /^\/v1\/eats\/stores\/([^/]+)\/holiday-hours$/;
const STATUS_PATH = /^\/v1\/eats\/store\/([^/]+)\/status$/;
const READ_OR_SET: Readonly<Record<string, 'special_days'>> = {
  GET: 'special_days',
  POST: 'special_days',
};
/** Calls about items of one store in a second. */
const ITEM_RATE = { calls: 5, windowMs: 1_000 } as const;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const EMPTY_MENU = '{"menus":[],"categories":[],"items":[],"modifier_groups":[]}';

export interface AppAOptions extends SimulatedAppOptions, MarketRules {}

/** App A: OAuth client credentials, a menu per store that each PUT replaces, and the same path to read it back. */
export function createAppA(options: AppAOptions): AppSimulatorFactory {
  return (env: AppEnv): AppSimulator => {
    const tokens = createTokenOffice(env.clock, env.newId);
    const rate = createRateWindow(env.clock, ITEM_RATE);
    return {
      name: 'app-a',
      description: 'App A: several menus, synchronous, all or nothing, can be read back.',
      ownFaults: ['item_failed'],
      reader: READ_APP_A,
      knows: (storeId) => UUID.test(storeId) && isKnownStore(storeId, options),
      routeOf(method, path) {
        if (path === TOKEN_PATH) return method === 'POST' ? 'token' : undefined;
        if (ITEM_PATH.test(path)) return method === 'POST' ? 'availability' : undefined;
        if (STATUS_PATH.test(path)) return method === 'POST' ? 'pause' : undefined;
        if (HOLIDAYS_PATH.test(path)) return READ_OR_SET[method];
        if (!MENUS_PATH.test(path)) return undefined;
        return method === 'PUT' ? 'upload' : method === 'GET' ? 'read' : undefined;
      },
      routeOfBody: (route, body) => (route === 'availability' && isChange(body) ? 'change' : route),
      storeOf,
      answer: (call) =>
        call.route === 'token' ? answerToken(call, options, tokens) : answerStore(call),
      expireToken(call) {
        tokens.revoke(bearerOf(call));
        return call.route === 'token'
          ? jsonAnswer(401, { error: 'invalid_client' })
          : error(401, 'unauthorized', 'The token has expired.');
      },
    };

    function answerStore(call: AppCall): AppAnswer {
      const refusal = refuseCaller(tokens, call) ?? refuseStore(call, options);
      if (refusal) return refusal;
      const storeId = storeOf(call) ?? '';
      if (call.route === 'pause') return answerStatus(call, storeId, env.stores);
      if (call.route === 'special_days') return answerHolidayHours(call, storeId, env.stores);
      const itemId = decoded(ITEM_PATH.exec(call.path)?.[2] ?? '');
      if (call.route === 'availability') {
        return answerItem(call, { storeId, itemId }, env.stores, rate, env.clock());
      }
      if (call.route === 'change') {
        const market = { ...options, now: env.clock() };
        return answerChange(call, { storeId, itemId }, env.stores, rate, market);
      }
      if (call.route === 'upload') return answerUpload(call, storeId, options);
      const shown = env.menus.current(storeId)?.payload;
      return { status: 200, body: shown?.toString('utf8') ?? EMPTY_MENU };
    }
  };
}

function answerUpload(call: AppCall, storeId: string, market: MarketRules): AppAnswer {
  let payload: unknown;
  try {
    payload = JSON.parse(call.body.toString('utf8'));
  } catch {
    return error(400, 'invalid_request', 'The body is not JSON.');
  }
  const broken = firstBrokenRule(payload, market);
  if (broken !== null) return error(400, 'invalid_request', broken);
  // Another type has separate menus: those for delivery, which are shown here, stay as they are.
  const isShown = isForDelivery(payload);
  return { status: 204, ...(isShown && { accepted: { storeId, payload: call.body } }) };
}

function isForDelivery(payload: unknown): boolean {
  const { menu_type: type } = payload as { readonly menu_type?: unknown };
  return type === undefined || type === 'MENU_TYPE_FULFILLMENT_DELIVERY';
}

function refuseCaller(tokens: TokenOffice, call: AppCall): AppAnswer | undefined {
  const scopes = call.route === 'pause' ? [MENU_SCOPE, STATUS_SCOPE] : [MENU_SCOPE];
  for (const scope of scopes) {
    const check = tokens.check(bearerOf(call), scope);
    if (check === 'unauthorized') {
      return error(401, 'unauthorized', 'The token is missing, unknown or expired.');
    }
    if (check === 'missing_scope') {
      return error(403, 'forbidden', `The token does not have the scope ${scope}.`);
    }
  }
  return undefined;
}

function refuseStore(call: AppCall, options: AppAOptions): AppAnswer | undefined {
  const storeId = storeOf(call);
  if (storeId === null || !UUID.test(storeId)) return error(400, 'invalid_request', 'invalid uuid');
  if (storeId === STORE_WITHOUT_ORGANISATION) {
    return error(400, 'invalid_request', 'orgUUID must be a valid UUID');
  }
  if (!isKnownStore(storeId, options)) return error(404, 'not_found', 'The store was not found.');
  return undefined;
}

function storeOf(call: AppCall): string | null {
  const paths = [MENUS_PATH, ITEM_PATH, STATUS_PATH, HOLIDAYS_PATH];
  const encoded = paths.map((path) => path.exec(call.path)?.[1]).find((each) => each !== undefined);
  return encoded === undefined ? null : decoded(encoded);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function bearerOf(call: AppCall): string {
  return /^Bearer (.+)$/.exec(call.headers.authorization ?? '')?.[1] ?? '';
}

function error(status: number, code: string, message: string): AppAnswer {
  return jsonAnswer(status, { code, message });
}
