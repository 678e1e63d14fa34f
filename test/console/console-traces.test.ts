import { addMenus } from './console-menus';
import { type ConsoleWorld, startConsoleWorld } from './console-world';
import { visit } from './visitor';

let world: ConsoleWorld;
beforeAll(async () => {
  world = await startConsoleWorld({ TEMPORAL_UI_URL: 'http://ui.example:8080' });
});
afterAll(() => world.api.stop());

test('a rollout, an item off sale and a webhook lead to their workflows in the Temporal UI', async () => {
  const menus = await addMenus(world);
  const owner = await visit(world.api.url, world.owner.token);
  const { storeId, integrationId } = world.rows.key;
  const pages = {
    [`/console/rollouts/${menus.rolloutId}`]: `rollout%2F${menus.rolloutId}`,
    '/console/availability': `availability%2F${storeId}%2F${integrationId}`,
    [`/console/webhooks/${world.systemId}/2`]: 'webhooks%2Fshard-\\d+',
  };
  for (const [path, workflow] of Object.entries(pages)) {
    const { text } = await owner.get(path);
    const base = 'http://ui\\.example:8080/namespaces/[^/"]+/workflows/';
    expect([path, new RegExp(`href="${base}${workflow}"`).test(text)]).toEqual([path, true]);
  }
});
