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
import { TOKEN_SECONDS, createTokenShop, type TokenShop } from './token-shop';
import { isObject } from './check-shape';
import { validateMenu } from './validate-menu';

const MENU_PATH = /^\/v1\/merchants\/([^/]+)\/menu$/;

/** Simulated App B: client credentials, one synchronous upload, and every error of a refused menu at once. */
export function createAppB(options: SimulatedAppOptions): AppSimulatorFactory {
  return (env) => simulate(options, env);
}

function simulate(options: SimulatedAppOptions, env: AppEnv): AppSimulator {
  const tokens = createTokenShop(env.clock, () => env.newId('tok'));
  return {
    name: 'app-b',
    description: 'App B: PUT /v1/merchants/{merchant_id}/menu, token at POST /oauth/token.',
    ownFaults: [],
    routeOf(method, path) {
      if (method === 'POST' && path === '/oauth/token') return 'token';
      return method === 'PUT' && MENU_PATH.test(path) ? 'upload' : undefined;
    },
    storeOf: ({ path }) => merchantOf(path),
    answer: (call) =>
      call.route === 'token' ? sell(call, options, tokens) : take(call, options, tokens),
    expireToken({ route, headers }) {
      if (route === 'token') return jsonAnswer(401, { error: 'invalid_client' });
      tokens.kill(bearerOf(headers));
      return jsonAnswer(401, { error: 'invalid_token' });
    },
  };
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

function take(
  { path, headers, body }: AppCall,
  options: SimulatedAppOptions,
  tokens: TokenShop,
): AppAnswer {
  if (!tokens.isValid(bearerOf(headers))) return jsonAnswer(401, { error: 'invalid_token' });
  const merchantId = merchantOf(path);
  if (merchantId === null || !isKnownStore(merchantId, options)) {
    return jsonAnswer(404, { error: 'merchant_not_found' });
  }
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
  const encoded = MENU_PATH.exec(path)?.[1];
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
