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
import { firstBrokenRule, type MarketRules } from './first-broken-rule';
import { createTokenOffice, type TokenOffice } from './token-office';

/** The store that the app knows, and that belongs to no organisation: its set-up was never finished. */
export const STORE_WITHOUT_ORGANISATION = '00000000-0000-4000-8000-000000000400';

const TOKEN_PATH = '/oauth/v2/token';
const MENUS_PATH = /^\/v2\/eats\/stores\/([^/]+)\/menus$/;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const EMPTY_MENU = '{"menus":[],"categories":[],"items":[],"modifier_groups":[]}';

export interface AppAOptions extends SimulatedAppOptions, MarketRules {}

/** App A: OAuth client credentials, a menu per store that each PUT replaces, and the same path to read it back. */
export function createAppA(options: AppAOptions): AppSimulatorFactory {
  return (env: AppEnv): AppSimulator => {
    const tokens = createTokenOffice(env.clock, env.newId);
    return {
      name: 'app-a',
      description: 'App A: several menus, synchronous, all or nothing, can be read back.',
      ownFaults: [],
      routeOf(method, path) {
        if (path === TOKEN_PATH) return method === 'POST' ? 'token' : undefined;
        if (!MENUS_PATH.test(path)) return undefined;
        return method === 'PUT' ? 'upload' : method === 'GET' ? 'read' : undefined;
      },
      storeOf,
      answer: (call) =>
        call.route === 'token' ? answerToken(call, options, tokens) : answerMenus(call),
      expireToken(call) {
        tokens.revoke(bearerOf(call));
        return call.route === 'token'
          ? jsonAnswer(401, { error: 'invalid_client' })
          : error(401, 'unauthorized', 'The token has expired.');
      },
    };

    function answerMenus(call: AppCall): AppAnswer {
      const refusal = refuseCaller(tokens, call) ?? refuseStore(call, options);
      if (refusal) return refusal;
      const storeId = storeOf(call) ?? '';
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
  return { status: 204, accepted: { storeId, payload: call.body } };
}

function refuseCaller(tokens: TokenOffice, call: AppCall): AppAnswer | undefined {
  const check = tokens.check(bearerOf(call));
  if (check === 'unauthorized') {
    return error(401, 'unauthorized', 'The token is missing, unknown or expired.');
  }
  if (check === 'missing_scope') {
    return error(403, 'forbidden', 'The token does not have the scope eats.store.');
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
  const encoded = MENUS_PATH.exec(call.path)?.[1];
  if (encoded === undefined) return null;
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}

function bearerOf(call: AppCall): string {
  return /^Bearer (.+)$/.exec(call.headers.authorization ?? '')?.[1] ?? '';
}

function error(status: number, code: string, message: string): AppAnswer {
  return jsonAnswer(status, { code, message });
}
