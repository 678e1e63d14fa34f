import { discardWaiting } from '../../src/webhooks/sql/discards';
import { visit } from '../console/visitor';
import { adminCommand } from '../support/admin-command';
import { startTestApi, type TestApi, type TestCaller } from '../support/api';
import {
  createLinkedStore,
  createSystem,
  linkStore,
  type LinkedStore,
  manageWebhook,
  postWebhook,
  sendEvent,
} from '../support/inventory';
import { until } from '../support/until';

let api: TestApi;
let operator: TestCaller;
beforeAll(async () => {
  // No worker: what a receiver would get is what waits.
  api = await startTestApi({ ACK_WAIT: '100ms' });
  operator = await api.user('operator');
});
afterAll(() => api.stop());

async function admin(...args: readonly string[]): Promise<unknown> {
  const { status, out, err } = await adminCommand(api.config.DATABASE_URL, args);
  expect([status, err]).toEqual([0, '']);
  return JSON.parse(out) as unknown;
}

const SALE = {
  external_id: 'cola',
  current_stock: '3',
  quantity: '1',
  date: '2026-01-31T19:45:00Z',
  movement_type: 2,
};

let names = 0;
const newName = () => `System ${++names} of access taken back`;

/** Another user of the store reports a sale: the systems to which it goes, and the deliveries. */
async function sell(till: TestCaller, storeId: number) {
  const answer = await till.post(`/pos/store/${storeId}/inventory/stock`, SALE);
  return (answer.json.data?.deliveries ?? []) as {
    delivery_id: string;
    inventory_system_id: string;
    state: string;
  }[];
}

async function stateOf(deliveryId: string): Promise<string> {
  return (await operator.get(`/webhooks/deliveries/${deliveryId}`)).json.data.state;
}

const webhookOf = async ({ systemId }: LinkedStore) =>
  (await operator.get(`/inventory/system/${systemId}/webhook`)).json.data.find(
    (each: { type: number }) => each.type === 2,
  );

/** A user with a store and a linked system, and another user of the store. */
async function shared(): Promise<{ linked: LinkedStore; till: TestCaller }> {
  const linked = await createLinkedStore(api, newName());
  const till = await api.user('pos:events');
  await admin('store', 'grant', '--user', till.userId, '--store', String(linked.storeId));
  return { linked, till };
}

describe('the webhooks of a user who is deactivated', () => {
  test('send nothing until the user is active again, and nobody can make them', async () => {
    const { linked, till } = await shared();
    await admin('user', 'deactivate', '--user', linked.owner.userId);
    expect(await webhookOf(linked)).toMatchObject({
      state: 'disabled',
      disabled_reason: 'owner_inactive',
    });
    const [waiting] = await sell(till, linked.storeId);
    expect(waiting?.state).toBe('pending');

    const refused = {
      status: 409,
      json: { message: ['The owner of this webhook is inactive.'], data: null },
    };
    const byOperator = { owner: operator, systemId: linked.systemId };
    for (const verb of ['enable', 'test', 'manage']) {
      const body = verb === 'manage' ? { url: 'http://127.0.0.1:9/other' } : {};
      expect([verb, await postWebhook(byOperator, verb, body)]).toMatchObject([verb, refused]);
    }
    expect((await postWebhook(byOperator, 'disable')).status).toBe(200);

    await admin('user', 'activate', '--user', linked.owner.userId);
    expect(await webhookOf(linked)).toMatchObject({ state: 'enabled', disabled_reason: null });
    expect(await stateOf(waiting?.delivery_id ?? '')).toBe('pending');
  });

  test('that were disabled before stay so', async () => {
    const { linked } = await shared();
    await postWebhook(linked, 'disable');
    await admin('user', 'deactivate', '--user', linked.owner.userId);
    await admin('user', 'activate', '--user', linked.owner.userId);
    expect(await webhookOf(linked)).toMatchObject({
      state: 'disabled',
      disabled_reason: 'manual',
    });
  });
});

test('the webhooks and links of a user who is deleted end: what waits is discarded, and the next sale goes nowhere', async () => {
  const { linked, till } = await shared();
  const [waiting] = await sell(till, linked.storeId);
  await admin('user', 'delete', '--user', linked.owner.userId);
  await until(async () => {
    await discardWaiting(api.sql);
    return (await stateOf(waiting?.delivery_id ?? '')) === 'discarded';
  });
  expect(await sell(till, linked.storeId)).toEqual([]);
  expect(await webhookOf(linked)).toBeUndefined();
  const links = await operator.get(`/inventory/system/${linked.systemId}/store/link`);
  expect(links.json.data).toEqual([]);
});

describe('a store that is taken from a user', () => {
  test('is not theirs any more; a link that only they held up ends, and a new grant does not revive it', async () => {
    const { linked, till } = await shared();
    const [waiting] = await sell(till, linked.storeId);
    const both = ['--user', linked.owner.userId, '--store', String(linked.storeId)];
    expect(await admin('store', 'revoke', ...both)).toEqual({
      user_id: linked.owner.userId,
      store_id: linked.storeId,
    });
    expect(await stateOf(waiting?.delivery_id ?? '')).toBe('discarded');
    expect(await sell(till, linked.storeId)).toEqual([]);
    expect((await sendEvent(linked, 'stock', SALE)).status).toBe(409);
    await admin('store', 'grant', ...both);
    expect(await sell(till, linked.storeId)).toEqual([]);
    await linkStore(linked.owner, linked.systemId, linked.storeId);
    expect(await sell(till, linked.storeId)).toHaveLength(1);
  });

  test('keeps links of others: of a second maker, of the owner of the system, of an operator', async () => {
    const { linked, till } = await shared();
    const revoke = (user: TestCaller) =>
      admin('store', 'revoke', '--user', user.userId, '--store', String(linked.storeId));

    // Somebody else's system, linked by the operator: it stays until somebody ends it, also without the permission.
    const foreign = await api.user('inventory:create');
    const systemId = await createSystem(foreign, newName());
    await manageWebhook(foreign, systemId, 2);
    await linkStore(operator, systemId, linked.storeId);
    await revoke(linked.owner);
    const ofOperator = { delivery_id: expect.any(String), inventory_system_id: systemId };
    expect(await sell(till, linked.storeId)).toMatchObject([ofOperator]);
    await admin('user', 'permissions', '--user', operator.userId, '--remove', 'operator');
    expect(await sell(till, linked.storeId)).toMatchObject([ofOperator]);
    await admin('user', 'permissions', '--user', operator.userId, '--add', 'operator');

    // The owner of a system holds up a link that an operator did not make.
    const own = await createLinkedStore(api, newName());
    const second = await api.user('pos:events');
    await admin('store', 'grant', '--user', second.userId, '--store', String(own.storeId));
    await admin('store', 'revoke', '--user', second.userId, '--store', String(own.storeId));
    expect((await sendEvent(own, 'stock', SALE)).json.data.deliveries).toHaveLength(1);
  });

  test('must be theirs', async () => {
    const user = await api.user();
    const args = ['store', 'revoke', '--user', user.userId, '--store', '999999'];
    expect(await adminCommand(api.config.DATABASE_URL, args)).toMatchObject({
      status: 1,
      err: `The user ${user.userId} does not have the store 999999.\n`,
    });
  });
});

test('permissions are given and taken', async () => {
  const user = await api.user('pos:events');
  const change = ['user', 'permissions', '--user', user.userId];
  expect(await admin(...change, '--add', 'inventory:create', '--remove', 'pos:events')).toEqual({
    user_id: user.userId,
    name: 'A user',
    permissions: ['inventory:create'],
  });
  const unknown = await adminCommand(api.config.DATABASE_URL, [...change, '--add', 'everything']);
  expect([unknown.status, unknown.err]).toEqual([
    1,
    expect.stringContaining('The permission everything does not exist'),
  ]);
});

test('signing out of the console ends the session on the server: a copy of its cookie is worth nothing', async () => {
  const user = await api.user();
  const [copied, other] = [await visit(api.url, user.token), await visit(api.url, user.token)];
  expect((await copied.get('/console')).status).toBe(200);
  await copied.send('/console/sign-out');
  expect((await copied.get('/console')).status).toBe(303);
  expect((await other.get('/console')).status).toBe(200);
});
