import { type AppDOptions, createAppD, rappiIdOf } from '../../dev/sandbox/app-d/app-d';
import { startSandbox } from '../../dev/sandbox/sandbox';
import { simulateApp } from '../../dev/sandbox/simulated-app';
import { createAppDClient } from '../../src/delivery-apps/app-d/client';
import type { WirePayload } from '../../src/delivery-apps/app-d/wire';
import type { PollOutcome, PushOutcome } from '../../src/delivery-apps/app-client';
import { parseCidrs } from '../../src/platform/outbound/addresses';
import { createOutboundClient } from '../../src/platform/outbound/http-client';
import { item } from './app-c-menus';
import { transformD } from './app-d-menus';

export const STORE = { rappi_store_id: String(rappiIdOf('999')) };
export const CREDENTIAL = { clientId: 'client', clientSecret: 'secret', store: STORE };

export const menuOf = (price: string) =>
  transformD({ items: [item('I1', { price: { value: price } })] }).payload;

/** For one test file; what is `open` is closed after each test. */
export function useAppDBench() {
  const http = createOutboundClient({ allowCidrs: parseCidrs('127.0.0.1/32'), userAgent: 'test' });
  const open: { close(): Promise<void> }[] = [];
  afterEach(async () => {
    for (const server of open.splice(0)) await server.close();
  });
  afterAll(() => http.close());

  /** The real client against the simulated app, whose clock stands still. */
  async function openBench(options: Partial<AppDOptions> = {}) {
    const simulator = createAppD({ clientId: 'client', clientSecret: 'secret', ...options });
    let time = Date.now();
    const now = () => time;
    const sandbox = await startSandbox({ port: 0, parts: [simulateApp(simulator)], clock: now });
    open.push(sandbox);
    const baseUrl = `${sandbox.url}/app-d`;
    const client = createAppDClient({ http, baseUrl, timeoutMs: 5_000 });
    const token = async (use?: 'utilities') => {
      const result = await client.fetchToken({ ...CREDENTIAL, ...(use && { use }) });
      if (result.kind !== 'token') throw new Error(result.reason);
      return result.token;
    };
    const shown = async (): Promise<readonly { payload: WirePayload }[]> => {
      const answer = await fetch(`${baseUrl}/_sandbox/menus`);
      return (await answer.json()) as readonly { payload: WirePayload }[];
    };
    return {
      client,
      baseUrl,
      token,
      now,
      passTime: (ms: number) => {
        time += ms;
      },
      push: async (menu: unknown) =>
        client.pushMenu({
          token: await token(),
          appStoreId: '999',
          payload: Buffer.from(JSON.stringify(menu)),
        }),
      poll: async (
        pushed: PushOutcome,
        pushedAt = new Date(0),
      ): Promise<PollOutcome | undefined> => {
        if (pushed.kind !== 'accepted') throw new Error(`The push ended ${pushed.kind}.`);
        const { taskId } = pushed;
        const shop = { appStoreId: '999', store: STORE, pushedAt };
        return client.pollTask?.({ token: await token('utilities'), taskId, ...shop });
      },
      shownPrices: async () =>
        (await shown()).map(({ payload }) => payload.items.map(({ price }) => price)),
      fault: async (fault: object) => {
        const url = `${baseUrl}/_sandbox/faults`;
        await fetch(url, { method: 'POST', body: JSON.stringify(fault) });
      },
    };
  }
  return { http, open, openBench };
}
