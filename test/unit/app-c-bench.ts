import { type AppCOptions, createAppC } from '../../dev/sandbox/app-c/app-c';
import { startSandbox } from '../../dev/sandbox/sandbox';
import { simulateApp } from '../../dev/sandbox/simulated-app';
import { createAppCClient } from '../../src/delivery-apps/app-c/client';
import type {
  AppCredential,
  DeliveryAppClient,
  PollOutcome,
  PushOutcome,
} from '../../src/delivery-apps/app-client';
import { parseCidrs } from '../../src/platform/outbound/addresses';
import { createOutboundClient } from '../../src/platform/outbound/http-client';
import type { OutboundRequest } from '../../src/platform/outbound/types';
import { transform } from './app-c-menus';

/** Every character of it is written differently in one kind of URL or another. */
export const SECRET = 's&cr t/%7E';
export const CREDENTIAL: AppCredential = {
  clientId: 'client',
  clientSecret: SECRET,
  store: { app_shop_id: 'shop-1' },
};
/** Today, in whole seconds, as the app counts them: the client judges by its own clock whether a token has ended. */
export const START = Math.floor(Date.now() / 1000) * 1000;
export const SMALLEST = Buffer.from(JSON.stringify(transform().payload));

interface ShownMenu {
  readonly store_id: string;
  readonly payload: unknown;
}

/** The real client against the simulated App C, whose clock stands at START. */
export interface Bench {
  readonly client: DeliveryAppClient;
  readonly baseUrl: string;
  /** The client's requests, oldest first. */
  readonly sent: readonly OutboundRequest[];
  passTime(ms: number): void;
  token(): Promise<string>;
  push(payload?: unknown): Promise<PushOutcome>;
  poll(pushed: PushOutcome): Promise<PollOutcome>;
  /** Pushes, and gives every outcome of polling up to the last, at most 20. */
  pollToTheEnd(payload?: unknown): Promise<readonly PollOutcome[]>;
  queue(fault: Readonly<Record<string, unknown>>): Promise<void>;
  shown(): Promise<readonly ShownMenu[]>;
  close(): Promise<void>;
}

export async function openBench(options: Partial<AppCOptions> = {}): Promise<Bench> {
  let now = START;
  const sent: OutboundRequest[] = [];
  const simulator = createAppC({ clientId: 'client', clientSecret: SECRET, ...options });
  const sandbox = await startSandbox({
    port: 0,
    parts: [simulateApp(simulator)],
    clock: () => now,
  });
  const real = createOutboundClient({ allowCidrs: parseCidrs('127.0.0.1/32'), userAgent: 'test' });
  const baseUrl = `${sandbox.url}/app-c`;
  const client = createAppCClient({
    http: {
      close: () => real.close(),
      request: (request) => {
        sent.push(request);
        return real.request(request);
      },
    },
    baseUrl,
    timeoutMs: 2_000,
  });

  async function token(): Promise<string> {
    const result = await client.fetchToken(CREDENTIAL);
    if (result.kind !== 'token') throw new Error(result.reason);
    return result.token;
  }

  async function push(payload: unknown = JSON.parse(SMALLEST.toString())): Promise<PushOutcome> {
    const bytes = Buffer.from(JSON.stringify(payload));
    return client.pushMenu({ token: await token(), appStoreId: 'shop-1', payload: bytes });
  }

  async function poll(pushed: PushOutcome): Promise<PollOutcome> {
    if (pushed.kind !== 'accepted') throw new Error(`The push ended ${pushed.kind}.`);
    const { store } = CREDENTIAL;
    const { taskId } = pushed;
    const shop = { appStoreId: 'shop-1', store, pushedAt: new Date(now) };
    const request = { token: await token(), taskId, ...shop };
    const outcome = await client.pollTask?.(request);
    if (!outcome) throw new Error('The client cannot poll.');
    return outcome;
  }

  return {
    client,
    baseUrl,
    sent,
    passTime: (ms) => {
      now += ms;
    },
    token,
    push,
    poll,
    async pollToTheEnd(payload) {
      const pushed = await push(payload);
      const outcomes: PollOutcome[] = [];
      do outcomes.push(await poll(pushed));
      while (outcomes.at(-1)?.kind === 'running' && outcomes.length < 20);
      return outcomes;
    },
    async queue(fault) {
      const url = `${baseUrl}/_sandbox/faults`;
      const answer = await fetch(url, { method: 'POST', body: JSON.stringify(fault) });
      if (!answer.ok) throw new Error(await answer.text());
    },
    async shown() {
      const answer = await fetch(`${baseUrl}/_sandbox/menus`);
      return (await answer.json()) as readonly ShownMenu[];
    },
    async close() {
      await real.close();
      await sandbox.close();
    },
  };
}
