import { type ConsoleWorld, startConsoleWorld } from './console-world';
import { visit } from './visitor';

let world: ConsoleWorld;
beforeAll(async () => {
  world = await startConsoleWorld();
});
afterAll(() => world.api.stop());

test('the page of a store lists all its integrations, not only those of the first page of the API', async () => {
  const { storeId } = world.rows.key;
  await world.api.sql`
    with made as (
      insert into integration (app, name) select 'app-b', 'Brand ' || n || '.' from generate_series(1, 60) n
      returning integration_id
    )
    insert into store_integration (store_id, integration_id, delivery_id)
    select ${storeId}::bigint, integration_id, 'm' || integration_id from made`;
  const owner = await visit(world.api.url, world.owner.token);
  const { text } = await owner.get(`/console/stores/${storeId}`);
  const tables = text.split('<h2>Live menus</h2>');
  for (const table of tables) {
    const listed = new Set(table.match(/Brand \d+\./g));
    expect(listed.size).toBe(60);
  }
});

test('the page of a store says its time zone, without which it has no seasons and no special days', async () => {
  const { storeId } = world.rows.key;
  const owner = await visit(world.api.url, world.owner.token);
  const zone = async () => {
    const { text } = await owner.get(`/console/stores/${storeId}`);
    return /<dt>Time zone<\/dt><dd>(.*?)<\/dd>/.exec(text)?.[1];
  };
  expect(await zone()).toBe('none');
  const changed = await world.owner.patch(`/store/${storeId}`, { time_zone: 'America/Santiago' });
  expect(changed.status).toBe(200);
  expect(await zone()).toBe('America/Santiago');
});
