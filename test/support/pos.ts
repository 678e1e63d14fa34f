import { createPos } from '../../dev/sandbox/pos';
import type { ReceivedRequest } from '../../dev/sandbox/receiver/received-requests';
import { type Sandbox, startSandbox } from '../../dev/sandbox/sandbox';
import { attachPos, createPos as registerPos } from '../../src/inventory/sql/pos-systems';
import { generateSecret } from '../../src/platform/crypto/signing';
import { createConfiguredSecretBox } from '../../src/run/configured-secrets';
import { startTestApi, type TestAnswer, type TestApi, type TestCaller } from './api';
import { createSystem } from './inventory';

interface StoreWithPos {
  readonly storeId: number;
  readonly posId: number;
}

/** An API, a user with an inventory system, and a simulated POS. */
export interface PosRig {
  readonly api: TestApi;
  readonly owner: TestCaller;
  readonly systemId: string;
  readonly sandbox: Sandbox;
  /** A new store of the user with a POS at `baseUrl`, by default the simulated one. */
  storeWithPos(baseUrl?: string): Promise<StoreWithPos>;
  /** Sends a stock update to the POS of a store. */
  update(
    target: { readonly storeId: unknown; readonly posId: unknown },
    headers?: Readonly<Record<string, string>>,
    body?: Readonly<Record<string, unknown>>,
  ): Promise<TestAnswer>;
  /** The requests of this test. */
  received(): Promise<ReceivedRequest[]>;
}

/** Registers the hooks that fill the object. */
export function usePos(env: Record<string, string> = {}): PosRig {
  const rig = {} as PosRig;
  beforeAll(async () => {
    Object.assign(rig, await startPos(env));
  });
  beforeEach(() => fetch(`${rig.sandbox.url}/pos/_sandbox/requests`, { method: 'DELETE' }));
  afterAll(async () => {
    await rig.api.stop();
    await rig.sandbox.close();
  });
  return rig;
}

async function startPos(env: Record<string, string>): Promise<PosRig> {
  const secret = generateSecret();
  const sandbox = await startSandbox({ port: 0, parts: [createPos({ secret })] });
  const api = await startTestApi(env);
  const secrets = createConfiguredSecretBox(api.config);
  const owner = await api.user('inventory:create');
  const systemId = await createSystem(owner, 'Stocky');
  return {
    api,
    owner,
    systemId,
    sandbox,
    async storeWithPos(baseUrl = `${sandbox.url}/pos`) {
      const storeId = await api.store(owner);
      const posId = await registerPos(api.sql, secrets, { name: 'POS', baseUrl, secret });
      await attachPos(api.sql, storeId, posId);
      return { storeId, posId };
    },
    update({ storeId, posId }, headers = {}, body = {}) {
      return owner.post(
        `/inventory/system/store/${String(storeId)}/pos/stock/update`,
        {
          inventory_system_id: systemId,
          pos_id: posId,
          current_stock: '10.50',
          quantity: '2',
          date: '2026-11-21T10:00:00Z',
          movement_type: '1',
          external_id: 'item-1',
          ...body,
        },
        headers,
      );
    },
    async received() {
      const answer = await fetch(`${sandbox.url}/pos/_sandbox/requests`);
      return (await answer.json()) as ReceivedRequest[];
    },
  };
}
