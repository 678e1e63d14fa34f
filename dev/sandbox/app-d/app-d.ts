import { createHash } from 'node:crypto';
import { isJsonObject, type Json } from '../app-c/menu-checks';
import { createRateWindow } from '../rate-window';
import type { IncomingHttpHeaders } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { inBackground } from '../../../src/platform/in-background';
import { createTokenShop } from '../app-b/tokens';
import { createBodyParser } from '../app-c/parse-bodies';
import {
  type AppAnswer,
  type AppCall,
  type AppEnv,
  type AppSimulator,
  type AppSimulatorFactory,
  isKnownStore,
  jsonAnswer,
  type SimulatedAppOptions,
} from '../app-simulator';
import type { Fault } from '../fault';
import { createApprovals } from './approvals';
import { answerDetails, detailsOf } from './menu-details';
import { refuseMenu } from './refuse-menu';
import { sendWebhook, type WebhookOptions } from './send-webhook';
import { answerSpecialDays, SPECIAL_PATH } from './special-days';
import { answerItems, answerStores, READ_APP_D } from './switch-items';
import { validateMenu } from './validate-menu';

export interface AppDOptions extends SimulatedAppOptions {
  /** ms between the steps of an approval; absent = a step with each poll. */
  readonly stepMs?: number;
  /** Whether prices may have two places; else they are whole. */
  readonly decimals?: boolean;
  readonly callbackUrl?: WebhookOptions['callbackUrl'];
  /** The app's own numbers of its stores, by the ids that integrators give them; others are made from the id. */
  readonly rappiIds?: Readonly<Record<string, number>>;
  /** Signs the webhooks; default the client secret. */
  readonly webhookSecret?: string;
}

const TOKEN_PATH = '/restaurants/auth/v1/token/login/integrations';
/** Its tokens are for the calls about special days, which take no other. */
const UTILITIES_TOKEN_PATH = '/restaurants/auth/v1/token/login/utils';
const MENU_PATH = '/api/v2/restaurants-integrations-public-api/menu';
const ITEMS_PATH = '/api/v2/restaurants-integrations-public-api/availability/stores/items';
const STORES_PATH = '/api/v2/restaurants-integrations-public-api/availability/stores/enable';
/** Calls about items of one store in a second. */
const ITEM_RATE = { calls: 1, windowMs: 1_000 } as const;
const APPROVED_PATH = `${MENU_PATH}/approved/`;
const WEEK_S = 604_798;

/**
 * Simulated App D: accepts a menu, has people review it, and shows it once they approve. Stores `child…` accept none.
 */
export function createAppD(options: AppDOptions): AppSimulatorFactory {
  return (env) => simulate(options, env);
}

function simulate(options: AppDOptions, env: AppEnv): AppSimulator {
  const { clock, signal } = env;
  const tokens = createTokenShop(clock, () => env.newId('tok'), WEEK_S);
  const utilitiesTokens = createTokenShop(clock, () => env.newId('tok'), WEEK_S);
  const bodyOf = createBodyParser();
  const secret = options.webhookSecret ?? options.clientSecret;
  const webhooks = { callbackUrl: options.callbackUrl, secret, clock, signal };
  const rate = createRateWindow(clock, ITEM_RATE);
  const seen = new Set([...Object.keys(options.rappiIds ?? {}), ...(options.knownStores ?? [])]);
  let refusals = 0;
  const approvals = createApprovals(clock, (approval) => {
    if (approval.status === 'APPROVED') {
      env.menus.keep(approval.storeId, approval.payload);
    }
    if (approval.webhookMode !== 'early') inBackground(sendWebhook(webhooks, approval), () => {});
  });

  return {
    name: 'app-d',
    description: `App D: POST ${MENU_PATH}, which people approve; token at POST ${TOKEN_PATH}.`,
    ownFaults: ['approval', 'webhook', 'item_failed'],
    reader: READ_APP_D,
    knows: isTaking,
    routeOf(method, path) {
      if (path === TOKEN_PATH || path === UTILITIES_TOKEN_PATH) {
        return method === 'POST' ? 'token' : undefined;
      }
      if (SPECIAL_PATH.test(path)) return isDayCall(method, path) ? 'special_days' : undefined;
      if (path === MENU_PATH) return READ_OR_UPLOAD[method];
      if (path === ITEMS_PATH) return method === 'PUT' ? 'availability' : undefined;
      if (path === STORES_PATH) return method === 'PUT' ? 'pause' : undefined;
      return method === 'GET' && isPoll(path) ? 'poll' : undefined;
    },
    storeOf(call) {
      if (call.route === 'poll') return polledStore(call.path);
      if (call.route === 'special_days') return dayStore(call) ?? null;
      if (call.route === 'availability' || call.route === 'pause') return calledStore(call);
      const storeId = call.route === 'upload' ? bodyOf(call)?.['storeId'] : undefined;
      return typeof storeId === 'string' ? storeId : null;
    },
    meets: (call, fault) =>
      call.route !== 'poll' ||
      fault.kind !== 'approval' ||
      approvals.meets(polledStore(call.path) ?? '', fault),
    answer,
    expireToken({ route, headers }) {
      if (route === 'token') return jsonAnswer(401, { message: 'Invalid credentials' });
      for (const each of [tokens, utilitiesTokens]) each.kill(bearerOf(headers));
      return jsonAnswer(401, { message: 'Not a valid token' });
    },
  };

  function answer(call: AppCall): AppAnswer | Promise<AppAnswer> {
    if (call.route === 'token') return sell(call);
    const wantsUtilities = call.route === 'special_days' || detailsOf(call.path) !== undefined;
    const shop = wantsUtilities ? utilitiesTokens : tokens;
    if (!shop.isValid(bearerOf(call.headers))) {
      return jsonAnswer(401, { message: 'Not a valid token' });
    }
    if (call.route === 'special_days') {
      const storeId = dayStore(call);
      return storeId === undefined
        ? jsonAnswer(404, { message: 'Store not found' })
        : answerSpecialDays(call, bodyOf(call), storeId, env.stores);
    }
    if (call.route === 'availability') {
      return answerItems(call, { stores: env.stores, rate, isKnown: isTaking });
    }
    if (call.route === 'pause') return answerStores(call, env.stores, storeOfRappiId);
    if (call.route === 'read') return { status: 200, body: withDecimals(shownMenus()) };
    return call.route === 'poll' ? tellApproval(call) : take(call);
  }

  function isTaking(storeId: string): boolean {
    return isKnownStore(storeId, options) && !storeId.startsWith('child');
  }

  function polledStore(path: string): string | null {
    const rappiId = detailsOf(path);
    return rappiId === undefined ? approvedStore(path) : (storeOfRappiId(rappiId) ?? null);
  }

  function storeOfRappiId(rappiId: number): string | undefined {
    return [...seen, ...env.stores.ids()].find(
      (id) => (options.rappiIds?.[id] ?? rappiIdOf(id)) === rappiId,
    );
  }

  /** The store of a call about special days, which its path names by the app's own number. */
  function dayStore({ path }: AppCall): string | undefined {
    return storeOfRappiId(Number(SPECIAL_PATH.exec(path)?.[1]));
  }

  /** The store of the first entry of a call about items or stores. */
  function calledStore(call: AppCall): string | null {
    const [item] = entriesIn(call.body);
    if (typeof item?.['store_integration_id'] === 'string') return item['store_integration_id'];
    const [store] = listOf(bodyOf(call)?.['stores']);
    return storeOfRappiId(Number(store?.['store_id'])) ?? null;
  }

  function sell(call: AppCall): AppAnswer {
    const { client_id: id, client_secret: given } = bodyOf(call) ?? {};
    if (id !== options.clientId || given !== options.clientSecret) {
      return jsonAnswer(401, { message: 'Invalid credentials' });
    }
    const shop = call.path === UTILITIES_TOKEN_PATH ? utilitiesTokens : tokens;
    const token = { access_token: shop.issue(), token_type: 'Bearer', expires_in: WEEK_S };
    return jsonAnswer(200, token);
  }

  async function take(call: AppCall): Promise<AppAnswer> {
    const menu = bodyOf(call);
    const violations = validateMenu(menu, options.decimals);
    const storeId = typeof menu?.['storeId'] === 'string' ? menu['storeId'] : '';
    if (violations.length > 0) return refuseMenu(violations, refusals++);
    if (!isTaking(storeId)) {
      return jsonAnswer(404, { message: `StoreId ${storeId}: not found associated Stores` });
    }
    seen.add(storeId);
    const mode = call.fault?.kind === 'webhook' ? call.fault.mode : undefined;
    // Apparently accepted but never shown, as the app does with menus while another one waits.
    const isDropped = call.fault?.kind === 'ok_but_old';
    if (isDropped || !approvals.submit(storeId, call.body, mode)) return { status: 200 };
    if (mode === 'early') await decideAtOnce(storeId);
    else if (options.stepMs !== undefined)
      inBackground(stepByTimer(storeId, options.stepMs), () => {});
    return { status: 200 };
  }

  function tellApproval(call: AppCall): AppAnswer {
    const storeId = polledStore(call.path) ?? '';
    const own = call.fault?.kind === 'approval' ? call.fault : undefined;
    if (own || options.stepMs === undefined) step(storeId, own);
    const approval = approvals.find(storeId);
    if (detailsOf(call.path) !== undefined && isTaking(storeId) && storeId !== '') {
      return answerDetails(call.query, approvals.all(storeId));
    }
    if (!approval) return jsonAnswer(404, { message: `StoreId ${storeId}: no menu` });
    return approval.isBare ? { status: 200 } : jsonAnswer(200, { status: approval.status });
  }

  function step(storeId: string, own?: Fault): void {
    const meets = (fault: Fault): boolean => approvals.meets(storeId, fault);
    approvals.step(storeId, own ?? env.faults.take('poll', storeId, meets));
  }

  function shownMenus(): unknown {
    return env.stores.ids().flatMap((storeId) => {
      const payload = env.menus.current(storeId)?.payload;
      // One that was set in the app's own tool may name no store.
      return payload ? [{ ...(JSON.parse(payload.toString('utf8')) as object), storeId }] : [];
    });
  }

  async function decideAtOnce(storeId: string): Promise<void> {
    step(storeId);
    step(storeId);
    const approval = approvals.find(storeId);
    if (approval && approval.status !== 'PENDING') await sendWebhook(webhooks, approval);
  }

  async function stepByTimer(storeId: string, ms: number): Promise<void> {
    while (approvals.isUnderWay(storeId) && !signal.aborted) {
      await wait(ms, undefined, { signal, ref: false }).catch(() => undefined);
      if (!signal.aborted) step(storeId);
    }
  }
}

/** JSON text with prices as the app writes them: 75.0. */
function withDecimals(value: unknown): string {
  return JSON.stringify(value).replaceAll(/"price":(\d+)(?=[,}])/g, '"price":$1.0');
}

/** The app's own number of a store, if the options name none. */
export function rappiIdOf(storeId: string): number {
  return createHash('sha256').update(storeId).digest().readUInt32BE();
}

function entriesIn(body: Buffer): readonly Json[] {
  try {
    return listOf(JSON.parse(body.toString('utf8')));
  } catch {
    return [];
  }
}

function listOf(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

/** All days are read or one is created; one, by its id, is deleted. */
function isDayCall(method: string, path: string): boolean {
  const isOne = SPECIAL_PATH.exec(path)?.[2] !== undefined;
  return isOne ? method === 'DELETE' : method === 'GET' || method === 'POST';
}

const READ_OR_UPLOAD: Readonly<Record<string, 'read' | 'upload'>> = { GET: 'read', POST: 'upload' };

/** People's decisions are asked for by either path. */
function isPoll(path: string): boolean {
  return path.startsWith(APPROVED_PATH) || detailsOf(path) !== undefined;
}

/** null where the path has a broken escape. */
function approvedStore(path: string): string | null {
  try {
    return decodeURIComponent(path.slice(APPROVED_PATH.length));
  } catch {
    return null;
  }
}

/** In a header of the app's own: `authorization` means nothing to it. */
function bearerOf(headers: IncomingHttpHeaders): string | undefined {
  const header = headers['x-authorization'];
  return typeof header === 'string' ? /^Bearer (\S+)$/i.exec(header)?.[1] : undefined;
}
