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
import { createBodyParser } from './parse-bodies';
import { createShopTokens } from './shop-tokens';
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
}

const ROUTES: Readonly<Record<string, FaultRoute>> = {
  'GET /v1/auth/authtoken/get': 'token',
  'GET /v1/auth/authtoken/refresh': 'token',
  'POST /v3/item/item/upload': 'upload',
  'GET /v1/item/item/getMenuTaskInfo': 'poll',
};

const TOKEN_ERRORS = {
  missing: { errno: 10100, errmsg: 'auth_token is empty' },
  unknown: { errno: 10101, errmsg: 'auth_token is invalid' },
  expired: { errno: 10102, errmsg: 'auth_token is expired' },
} as const;

/** For what the app refuses without a published number. */
const OTHER_ERRNO = 10002;
const THIRTY_DAYS_S = 30 * 86_400;

/** Simulated App C: answers errors with HTTP 200, takes a menu as a task and tells its end by callback. */
export function createAppC(options: AppCOptions): AppSimulatorFactory {
  return (env) => simulate(options, env);
}

function simulate(options: AppCOptions, env: AppEnv): AppSimulator {
  const { clientId, clientSecret, stepMs, callbackUrl } = options;
  const { clock, newId, signal } = env;
  const answers = createAnswers(clock, newId);
  const lifetimeSeconds = options.tokenLifetimeSeconds ?? THIRTY_DAYS_S;
  const tokens = createShopTokens({ clock, newId, lifetimeSeconds });
  const bodyOf = createBodyParser();
  const callbacks = { callbackUrl, clientId, clientSecret, clock, signal };
  const runner = createTaskRunner({ stepMs, tellEnd: (task) => tellEnd(callbacks, task) }, env);

  return {
    name: 'app-c',
    description:
      'App C: POST /v3/item/item/upload, a task to poll and its callback, token per shop.',
    ownFaults: ['errno', 'webhook', ...TASK_FAULTS],
    routeOf: (method, path) => ROUTES[`${method} ${path}`],
    storeOf(call) {
      if (call.route === 'token') return call.query.get('app_shop_id');
      const state = tokens.find(tokenOf(call));
      return state.kind === 'shop' ? state.shopId : null;
    },
    answer(call) {
      const { fault } = call;
      if (fault?.kind === 'errno') return answers.error(fault.errno ?? OTHER_ERRNO, 'scripted');
      if (call.route === 'token') return answerToken(call);
      const state = tokens.find(tokenOf(call));
      if (state.kind !== 'shop') return refuseToken(state.kind);
      return call.route === 'upload'
        ? answerUpload(call, state.shopId)
        : answerPoll(call, state.shopId);
    },
    expireToken(call) {
      tokens.expire(tokenOf(call));
      return refuseToken('expired');
    },
  };

  /** In the body of an upload, in the URL of everything else. */
  function tokenOf(call: AppCall): unknown {
    return call.route === 'upload' ? bodyOf(call)?.['auth_token'] : call.query.get('auth_token');
  }

  function refuseToken(kind: keyof typeof TOKEN_ERRORS): AppAnswer {
    const { errno, errmsg } = TOKEN_ERRORS[kind];
    return answers.error(errno, errmsg);
  }

  function answerToken({ query }: AppCall): AppAnswer {
    if (query.get('app_id') !== clientId) return answers.error(14105, 'app_id is wrong');
    if (query.get('app_secret') !== clientSecret)
      return answers.error(14106, 'app_secret is wrong');
    const shopId = query.get('app_shop_id') ?? '';
    if (shopId === '' || !isKnownStore(shopId, options)) {
      return answers.error(10001, 'app_shop_id does not exist');
    }
    const { token, expires } = tokens.issue(shopId);
    return answers.ok(JSON.stringify({ auth_token: token, token_expiration_time: expires }));
  }

  async function answerUpload(call: AppCall, shopId: string): Promise<AppAnswer> {
    const menu = bodyOf(call);
    const broken = validateMenu(menu);
    if (!menu || broken !== undefined) return answers.error(10001, broken ?? 'no menu');
    return answers.ok(reportOf(await runner.start(shopId, menu, call.fault)));
  }

  function answerPoll(call: AppCall, shopId: string): AppAnswer {
    const task = runner.poll(call.query.get('taskID'), shopId, call.fault);
    return task ? answers.ok(reportOf(task)) : answers.error(OTHER_ERRNO, 'task does not exist');
  }
}
