import { createRateWindow } from '../rate-window';
import type { IncomingHttpHeaders } from 'node:http';
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
import type { MenuError } from './menu-error';
import { TOKEN_SECONDS, createTokenShop, type TokenShop } from './tokens';
import { answerChanges } from './change-items';
import { isObject } from './check-shape';
import { answerSpecialDays } from './special-days';
import { answerItems, answerOpen, READ_APP_B } from './switch-items';
import { validateMenu } from './validate-menu';

const PATHS = {
  upload: /^\/v1\/merchants\/([^/]+)\/menu$/,
  availability: /^\/v1\/merchants\/([^/]+)\/items\/status$/,
  change: /^\/v1\/merchants\/([^/]+)\/items$/,
  pause: /^\/v1\/merchants\/([^/]+)\/status$/,
  special_days: /^\/v1\/merchants\/([^/]+)\/special-days$/,
} as const;
/** Calls about items of one merchant in a minute. */
const ITEM_RATE = { calls: 60, windowMs: 60_000 } as const;

/** Simulated App B: client credentials, one synchronous upload, and every error of a refused menu at once. */
export function createAppB(options: SimulatedAppOptions): AppSimulatorFactory {
  return (env) => simulate(options, env);
}

function simulate(options: SimulatedAppOptions, env: AppEnv): AppSimulator {
  const tokens = createTokenShop(env.clock, () => env.newId('tok'));
  const rate = createRateWindow(env.clock, ITEM_RATE);
  return {
    name: 'app-b',
    description: 'App B: PUT /v1/merchants/{merchant_id}/menu, token at POST /oauth/token.',
    ownFaults: ['item_failed'],
    reader: READ_APP_B,
    knows: (storeId) => isKnownStore(storeId, options),
    routeOf(method, path) {
      if (method === 'POST' && path === '/oauth/token') return 'token';
      if (method === 'PATCH') {
        if (PATHS.change.test(path)) return 'change';
        return PATHS.availability.test(path) ? 'availability' : undefined;
      }
      if (method !== 'PUT') return undefined;
      if (PATHS.pause.test(path)) return 'pause';
      if (PATHS.special_days.test(path)) return 'special_days';
      return PATHS.upload.test(path) ? 'upload' : undefined;
    },
    storeOf: ({ path }) => merchantOf(path),
    answer: (call) => (call.route === 'token' ? sell(call, options, tokens) : answerMerchant(call)),
    expireToken({ route, headers }) {
      if (route === 'token') return jsonAnswer(401, { error: 'invalid_client' });
      tokens.kill(bearerOf(headers));
      return jsonAnswer(401, { error: 'invalid_token' });
    },
  };

  function answerMerchant(call: AppCall): AppAnswer {
    const { path, headers } = call;
    if (!tokens.isValid(bearerOf(headers))) return jsonAnswer(401, { error: 'invalid_token' });
    const merchantId = merchantOf(path);
    if (merchantId === null || !isKnownStore(merchantId, options)) {
      return jsonAnswer(404, { error: 'merchant_not_found' });
    }
    if (call.route === 'availability') return answerItems(call, merchantId, env.stores, rate);
    if (call.route === 'change') return answerChanges(call, merchantId, env.stores, rate);
    if (call.route === 'pause') return answerOpen(call, merchantId, env.stores);
    if (call.route === 'special_days') return answerSpecialDays(call, merchantId, env.stores);
    return take(call.body, merchantId);
  }
}

function sell({ body }: AppCall, options: SimulatedAppOptions, tokens: TokenShop): AppAnswer {
  const form = new URLSearchParams(body.toString('utf8'));
  if (form.get('grant_type') !== 'client_credentials') {
    return jsonAnswer(400, { error: 'unsupported_grant_type' });
  }
  const known =
    form.get('client_id') === options.clientId &&
    form.get('client_secret') === options.clientSecret;
  if (!known) return jsonAnswer(401, { error: 'invalid_client' });
  return jsonAnswer(200, {
    access_token: tokens.issue(),
    token_type: 'bearer',
    expires_in: TOKEN_SECONDS,
  });
}

function take(body: Buffer, merchantId: string): AppAnswer {
  const menu = parseMenu(body);
  if ('errors' in menu) return jsonAnswer(400, { errors: menu.errors });
  return {
    ...jsonAnswer(200, { menu_id: menu.id, items: menu.items }),
    accepted: { storeId: merchantId, payload: body },
  };
}

type ParsedMenu =
  | { readonly id: unknown; readonly items: number }
  | { readonly errors: readonly MenuError[] };

function parseMenu(body: Buffer): ParsedMenu {
  let value: unknown;
  try {
    value = JSON.parse(body.toString('utf8'));
  } catch {
    return { errors: [{ code: 'invalid_json', path: '', message: 'is not JSON' }] };
  }
  const errors = validateMenu(value);
  if (errors.length > 0) return { errors };
  const { menu, items } = isObject(value) ? value : {};
  return {
    id: isObject(menu) ? menu['id'] : undefined,
    items: Array.isArray(items) ? items.length : 0,
  };
}

/** null where the path has none or a broken escape. */
function merchantOf(path: string): string | null {
  const encoded = Object.values(PATHS)
    .map((each) => each.exec(path)?.[1])
    .find((each) => each !== undefined);
  if (encoded === undefined) return null;
  try {
    return decodeURIComponent(encoded);
  } catch {
    return null;
  }
}

function bearerOf(headers: IncomingHttpHeaders): string | undefined {
  return /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1];
}
