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
