import { endStoreChanges } from '../../src/availability/sql/changes';
import { startWorld, type World } from '../api-contract/world';
import type { TestCaller } from '../support/api';
import { eventsOf, wantEvents, type WrittenEvent } from '../support/events';
import { wrongMessage } from '../support/openapi-reader';

let world: World;
let owner: TestCaller;
beforeAll(async () => {
  world = await startWorld();
  owner = world.owner;
  await wantEvents(owner);
});
afterAll(() => world.stop());
beforeEach(() => world.api.sql`delete from delivery where type = 3`);

async function written(): Promise<WrittenEvent[]> {
  const events = await eventsOf(world.api.sql, owner);
  expect(events.map((event) => wrongMessage(event.type, event)).filter(Boolean)).toEqual([]);
  return events;
}

interface Change {
  readonly change_id: string;
  readonly integration_id: string;
  readonly items: unknown;
  readonly messages: readonly string[];
  readonly finished_at: unknown;
}

/** As events have it, which tell of ends. */
function withoutWait({ waiting_for: waits, ...change }: Change & { waiting_for: unknown }): Change {
  expect(waits).toBeNull();
  return change;
}

const changeOf = async (id: string) =>
  withoutWait((await owner.get(`/menus/availability/changes/${id}`)).json.data);

test('a change of items that fails at once is reported with them, a waiting one is not', async () => {
  const items = [{ external_id: 'nothing', available: false }];
  const body = { store_id: world.storeId, integration_ids: ['999'], items };
  const { status, json } = await owner.post('/menus/availability', body);
  expect(status).toBe(409);
  const change = await changeOf(json.data.changes[0].change_id);
  expect(change.items).toMatchObject([{ external_id: 'nothing', state: 'failed' }]);
  expect(await written()).toEqual([
    { type: 'availability.failed', timestamp: change.finished_at, data: change },
  ]);
});

test('changes of one request that are refused as a whole show their items, although these are stored once', async () => {
  const items = ['X1', 'X2'].map((id) => ({ external_id: id, available: false }));
  const names = ['nothing', '998', '999', String(world.integrationId)];
  const body = { store_id: world.storeId, integration_ids: names, items };
  const { status, json } = await owner.post('/menus/availability', body);
  expect(status).toBe(409);
  const ids = (json.data.changes as { change_id: string }[]).map(({ change_id: id }) => id);
  const shown = await Promise.all(ids.map(changeOf));
  expect(new Set(shown.map((change) => change.integration_id))).toEqual(new Set(names));
  expect(shown.find((change) => change.integration_id === names[3])?.messages).toEqual([
    'No menu is live in this delivery.',
  ]);
  const failed = ['X1', 'X2'].map((id) => ({ external_id: id, state: 'failed', message: null }));
  for (const change of shown) expect(change).toMatchObject({ state: 'failed', items: failed });
  const events = (await written()).map(({ data }) => data as { readonly change_id: string });
  const byId = (changes: typeof events) => new Map(changes.map((each) => [each.change_id, each]));
  expect(byId(events)).toEqual(byId(shown));
  const stored = await world.api.sql`
    select i.* from availability_item i join availability_change c using (change_id)
    where c.request_row_id = (
      select request_row_id from availability_change where change_id = ${ids[0] ?? ''})`;
  expect(stored).toHaveLength(2);
});

test('a change with many messages shows fifty of them, and how many more there are, wherever it is read', async () => {
  await world.api.sql`
    with live as (
      update menu_upload set item_ids = '{}' where upload_id = ${world.ids.uploadId} returning *
    )
    update publication p set live_upload_id = l.upload_id from live l
    where p.store_id = l.store_id and p.integration_id = l.integration_id`;
  const items = Array.from({ length: 60 }, (_, n) => ({ external_id: `X${n}`, available: false }));
  const { json } = await owner.post('/menus/availability', { store_id: world.storeId, items });
  const [made] = json.data.changes;
  const change = await changeOf(made.change_id);
  expect(change.messages).toEqual(made.messages);
  expect(change.messages).toHaveLength(51);
  expect(change.messages[50]).toBe('There are 10 more errors.');
  expect(change.items).toHaveLength(60);
  const [event] = await written();
  expect(event?.data).toEqual(change);
});

test('a pause that the app refuses is reported when it ends, a successful one is not', async () => {
  const key = { storeId: world.storeId, integrationId: world.integrationId };
  const pause = async () => {
    const body = { integration_ids: [String(key.integrationId)] };
    const { status, json } = await owner.post(`/store/${key.storeId}/pause`, body);
    expect(status).toBe(202);
    return json.data.changes[0].change_id as string;
  };
  const end = (state: 'done' | 'failed', messages: string[]) =>
    world.api.sql.begin((tx) => endStoreChanges(tx, key, { kind: 'pause', state, messages }));
  await pause();
  await end('done', []);
  expect(await written()).toEqual([]);
  const failing = await pause();
  await end('failed', ['The store is closed.']);
  const change = await changeOf(failing);
  expect(change).toMatchObject({ kind: 'pause', messages: ['The store is closed.'], items: [] });
  expect(await written()).toEqual([
    { type: 'availability.failed', timestamp: change.finished_at, data: change },
  ]);
});
