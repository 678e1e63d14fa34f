import { createRateWindow } from '../rate-window';
import {
  type AppAnswer,
  type AppCall,
  type AppEnv,
  type AppSimulator,
  type AppSimulatorFactory,
  isKnownStore,
  type SimulatedAppOptions,
} from '../app-simulator';
import type { FaultRoute } from '../fault';
import { createAnswers } from './answers';
import { listedMenu } from './list-menu';
import { createBodyParser } from './parse-bodies';
import { answerShopUpdate } from './shop-update';
import { answerGroupChange, answerItemChange } from './change-items';
import { createShopTokens } from './tokens';
import { answerItemStatus, answerShopStatus, READ_APP_C, TOO_OFTEN_ERRNO } from './switch-items';
import { createTaskRunner } from './task-runner';
import { reportOf, TASK_FAULTS } from './tasks';
import { type CallbackOptions, tellEnd } from './tell-end';
import { validateMenu } from './validate-menu';

export interface AppCOptions extends SimulatedAppOptions {
  /** ms between the steps of a task; absent = a step with each poll. */
  readonly stepMs?: number;
  readonly callbackUrl?: CallbackOptions['callbackUrl'];
  /** Default 30 days. */
  readonly tokenLifetimeSeconds?: number;
  /** How deep modifier groups may nest; default 1. */
  readonly levels?: number;
  /** How long after a refresh the app makes no other token; default two minutes. */
  readonly refreshCoolDownSeconds?: number;
}

const ITEM_CHANGE = '/v3/item/item/updateItem';
const GROUP_CHANGE = '/v3/item/item/updateModifierGroup';
const ROUTES: Readonly<Record<string, FaultRoute>> = {
  'GET /v1/auth/authtoken/get': 'token',
  'GET /v1/auth/authtoken/refresh': 'token',
  'POST /v3/item/item/upload': 'upload',
  'POST /v1/item/item/getMenuTaskInfo': 'poll',
  // Answered, so that an adapter with the wrong method reads an error of the app and not a 404.
  'GET /v1/item/item/getMenuTaskInfo': 'poll',
  'GET /v3/item/item/list': 'read',
  'POST /v3/item/item/updateItemStatus': 'availability',
  [`POST ${ITEM_CHANGE}`]: 'change',
  [`POST ${GROUP_CHANGE}`]: 'change',
  'POST /v1/shop/shop/setStatus': 'pause',
  'POST /v1/shop/shop/update': 'special_days',
};
const REFRESH = '/v1/auth/authtoken/refresh';

const TOKEN_ERRORS = {
  unknown: { errno: 10100, errmsg: 'get auth_token failed' },
  expired: { errno: 10102, errmsg: 'auth_token is expired' },
} as const;

/** Calls about items of one shop in a second. */
const ITEM_RATE = { calls: 1, windowMs: 1_000 } as const;
/** Readings of one shop's menu in a minute, as third parties say. */
const READ_RATE = { calls: 1, windowMs: 60_000 } as const;
const PARAMETER_ERRNO = 10002;
const THIRTY_DAYS_S = 30 * 86_400;
const COOL_DOWN_S = 120;

/** Simulated App C: answers errors with HTTP 200, accepts a menu as a task and reports its end by callback. */
export function createAppC(options: AppCOptions): AppSimulatorFactory {
  return (env) => simulate(options, env);
}

function simulate(options: AppCOptions, env: AppEnv): AppSimulator {
  const { clientId, clientSecret, stepMs, callbackUrl } = options;
  const { clock, newId, signal } = env;
  const answers = createAnswers(clock, newId);
  const lifetimeSeconds = options.tokenLifetimeSeconds ?? THIRTY_DAYS_S;
  const coolDownSeconds = options.refreshCoolDownSeconds ?? COOL_DOWN_S;
  const tokens = createShopTokens({ clock, newId, lifetimeSeconds, coolDownSeconds });
  const bodyOf = createBodyParser();
  const switches = { answers, stores: env.stores, rate: createRateWindow(clock, ITEM_RATE) };
  const readings = createRateWindow(clock, READ_RATE);
  // Each path is counted by itself.
  const changes = { ...switches, rate: createRateWindow(clock, ITEM_RATE) };
  const callbacks = { callbackUrl, clientId, clientSecret, clock, signal };
  const levels = options.levels ?? 1;
  const runner = createTaskRunner(
    { levels, stepMs, tellEnd: (task) => tellEnd(callbacks, task) },
    env,
  );

  return {
    name: 'app-c',
    description:
      'App C: POST /v3/item/item/upload, a task to poll and its callback, token per shop.',
    ownFaults: ['errno', 'webhook', 'item_failed', 'days_refused', ...TASK_FAULTS],
    reader: READ_APP_C,
    knows: (storeId) => isKnownStore(storeId, options),
    routeOf: (method, path) => ROUTES[`${method} ${path}`],
    storeOf(call) {
      if (call.route === 'token') return call.query.get('app_shop_id');
      const state = tokens.find(tokenOf(call));
      return state.kind === 'shop' ? state.shopId : null;
    },
    meets: (call, fault) => call.route !== 'poll' || runner.meets(taskIdOf(call), fault),
    answer(call) {
      const { fault } = call;
      if (fault?.kind === 'errno') return answers.error(fault.errno ?? PARAMETER_ERRNO, 'scripted');
      if (call.route === 'token') return answerToken(call);
      const state = tokens.find(tokenOf(call));
      if (state.kind !== 'shop') return refuseToken(state.kind);
      return answerShop(call, state.shopId);
    },
    expireToken(call) {
      if (call.fault?.mode === 'replaced') tokens.replace(tokenOf(call));
      else if (call.fault?.mode === 'kept') tokens.kill(tokenOf(call));
      else tokens.expire(tokenOf(call));
      return refuseToken('expired');
    },
  };

  function answerShop(call: AppCall, shopId: string): AppAnswer | Promise<AppAnswer> {
    const body = bodyOf(call) ?? {};
    switch (call.route) {
      case 'upload':
        return answerUpload(call, shopId);
      case 'availability':
        return answerItemStatus(call, body, shopId, switches);
      case 'change':
        return call.path === ITEM_CHANGE
          ? answerItemChange(call, body, shopId, changes)
          : answerGroupChange(call, body, shopId, changes);
      case 'pause':
        return answerShopStatus(body, shopId, switches);
      case 'read':
        return answerRead(shopId);
      case 'special_days':
        return answerShopUpdate(call, body, shopId, switches);
      case 'token':
      case 'poll':
        return answerPoll(call, shopId);
    }
  }

  /** In the body of an upload, in the URL of a reading; a poll has it in one of them. */
  function tokenOf(call: AppCall): unknown {
    const inQuery = call.query.get('auth_token');
    if (call.route === 'read') return inQuery;
    return (call.route === 'poll' ? inQuery : null) ?? bodyOf(call)?.['auth_token'];
  }

  function refuseToken(kind: keyof typeof TOKEN_ERRORS): AppAnswer {
    const { errno, errmsg } = TOKEN_ERRORS[kind];
    return answers.error(errno, errmsg);
  }

  function answerToken({ path, query }: AppCall): AppAnswer {
    const [appId, appSecret, shopId] = ['app_id', 'app_secret', 'app_shop_id'].map((name) =>
      query.get(name),
    );
    if (!appId || !appSecret || !shopId) return answers.error(PARAMETER_ERRNO, 'parameter error');
    if (appId !== clientId) return answers.error(14105, 'app_id does not exist');
    if (appSecret !== clientSecret) return answers.error(14106, 'app_secret is wrong');
    if (!isKnownStore(shopId, options)) return answers.error(10101, 'the shop has no auth_token');
    if (path.endsWith(REFRESH)) {
      tokens.refresh(shopId);
      return answers.ok('true');
    }
    const kept = tokens.get(shopId);
    if (kept === 'expired') return refuseToken('expired');
    return answers.ok(
      JSON.stringify({
        app_id: appId,
        app_shop_id: shopId,
        auth_token: kept.token,
        token_expiration_time: kept.expires,
      }),
    );
  }

  async function answerUpload(call: AppCall, shopId: string): Promise<AppAnswer> {
    const menu = bodyOf(call);
    const broken = validateMenu(menu);
    if (!menu || broken !== undefined) return answers.error(10001, broken ?? 'no menu');
    return answers.ok(reportOf(await runner.start(shopId, menu, call.fault)));
  }

  function answerRead(shopId: string): AppAnswer {
    if (readings.take(shopId) > 0) return answers.error(TOO_OFTEN_ERRNO, 'called too often');
    const { payload, off } = env.stores.shown(shopId);
    return answers.ok(listedMenu(payload, off));
  }

  function answerPoll(call: AppCall, shopId: string): AppAnswer {
    const taskId = taskIdOf(call);
    if (call.method !== 'POST' || taskId === null) {
      return answers.error(PARAMETER_ERRNO, 'parameter error');
    }
    const task = runner.poll(taskId, shopId, call.fault);
    return task ? answers.ok(reportOf(task)) : answers.error(10001, 'task does not exist');
  }
}

/** In the URL, or in the body as bare digits, which JavaScript's own parser would round. */
function taskIdOf({ query, body }: AppCall): string | null {
  return query.get('task_id') ?? /"task_id"\s*:\s*"?(\d+)/.exec(body.toString('utf8'))?.[1] ?? null;
}
