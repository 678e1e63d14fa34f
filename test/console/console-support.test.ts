import { type ConsoleWorld, startConsoleWorld } from './console-world';
import { addMenus, type ConsoleMenus } from './console-menus';
import { visit, type Visitor } from './visitor';

let world: ConsoleWorld;
let menus: ConsoleMenus;

beforeAll(async () => {
  world = await startConsoleWorld();
  menus = await addMenus(world);
});
afterAll(() => world.api.stop());

async function visitorWith(...permissions: Parameters<ConsoleWorld['api']['user']>) {
  const user = await world.api.user(...permissions);
  return { ...user, visitor: await visit(world.api.url, user.token) };
}

/** The pages of the owner's things that have actions. */
function pages(): Record<string, string> {
  const { deliveryId, systemId, uploadId, rows } = world;
  return {
    upload: `/console/uploads/${uploadId}`,
    delivery: `/console/deliveries/${deliveryId}`,
    webhooks: '/console/webhooks',
    webhook: `/console/webhooks/${systemId}/2`,
    store: `/console/stores/${rows.key.storeId}`,
    rollout: `/console/rollouts/${menus.rolloutId}`,
    availability: '/console/availability',
  };
}

async function actionsOf(visitor: Visitor, path: string): Promise<number> {
  const { status, text } = await visitor.get(path);
  expect([path, status]).toEqual([path, 200]);
  return text.split('class="action"').length - 1;
}

test.each(['upload', 'delivery', 'webhooks', 'webhook', 'store', 'rollout', 'availability'])(
  'the page %s has actions for operators, and none for support',
  async (name) => {
    const path = pages()[name] ?? '';
    const { visitor: operator } = await visitorWith('operator');
    const { visitor: support } = await visitorWith('support');
    expect(await actionsOf(operator, path)).toBeGreaterThan(0);
    expect(await actionsOf(support, path)).toBe(0);
    expect((await support.get(path)).text).not.toContain('<h2>Actions</h2>');
    expect((await support.get(path)).text).toContain('<span class="role">support</span>');
    // The words of the help desk name buttons.
    expect((await support.get(path)).text).toContain('is for its owner or an operator.');
    expect((await operator.get(path)).text).not.toContain('is for its owner or an operator.');
  },
);

test('what support has themselves, they act on', async () => {
  const { userId, visitor } = await visitorWith('support');
  const { upload = '', store = '', webhook = '' } = pages();
  await world.api.sql`
    insert into user_store (store_id, user_id)
    values (${world.rows.key.storeId}::bigint, ${userId})`;
  expect(await actionsOf(visitor, upload)).toBeGreaterThan(0);
  expect(await actionsOf(visitor, store)).toBeGreaterThan(0);
  expect(await actionsOf(visitor, webhook)).toBe(0);
});

test('many deliveries are sent again by who may, not by support', async () => {
  const { visitor: operator } = await visitorWith('operator');
  const { userId, visitor: support } = await visitorWith('support');
  const list = `/console/deliveries?inventory_system_id=${world.systemId}`;
  const link = 'Send these again';
  for (const path of ['/console/deliveries', list]) {
    expect((await operator.get(path)).text).toContain(link);
    expect((await support.get(path)).text).not.toContain(link);
  }
  await world.api.sql`
    update inventory_system set created_by = ${userId} where inventory_system_id = ${world.systemId}`;
  expect((await support.get(list)).text).toContain(link);
  expect((await support.get('/console/deliveries?events=true')).text).toContain(link);
  await world.api.sql`
    update inventory_system set created_by = ${world.owner.userId}
    where inventory_system_id = ${world.systemId}`;
});

test('a form that support sends all the same is refused in words', async () => {
  const { visitor } = await visitorWith('support');
  const { status, text } = await visitor.send(`/console/uploads/${world.uploadId}/cancel`);
  expect(status).toBe(403);
  expect(text).toContain('You do not have the permissions to access this resource.');
});
