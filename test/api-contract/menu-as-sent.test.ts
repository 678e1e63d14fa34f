import { removeExpiredRollouts } from '../../src/rollouts/sql/rollouts';
import { versionedMenu } from '../support/versioned-menu';
import { startWorld, type World } from './world';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const ASYNC = { prefer: 'respond-async' };
/** What a float changes: two of them are other numbers, one is none, the rest is written otherwise. */
const NUMBERS = '[9007199254740993,1.0,1e999,-0,1E2,0.10]';

/** A body with numbers of unknown members in an item and beside the lists. */
function bodyWith(ids: object, blanks = ''): string {
  const { items, ...lists } = versionedMenu(1);
  const [item, ...others] = items;
  const body = {
    ...ids,
    ...lists,
    items: [{ ...item, codes: 'NUMBERS' }, ...others],
    shop: 'NUMBERS',
  };
  return JSON.stringify(body, null, blanks).replaceAll('"NUMBERS"', NUMBERS);
}

const place = () => ({ store_id: world.storeId, integration_id: world.integrationId });
const numbersIn = (text: string) => text.match(/"(?:codes|shop)":\[[^\]]*\]/g)?.toSorted();
const SENT = [`"codes":${NUMBERS}`, `"shop":${NUMBERS}`];

async function upload(body: string): Promise<string> {
  const { status, json } = await world.owner.postRaw('/menus/upload', body, ASYNC);
  expect(status).toBe(202);
  return json.data.upload_id;
}

test('numbers that no float has come back digit for digit, also of a menu that is published again', async () => {
  const uploadId = await upload(bodyWith(place()));
  const menu = await world.owner.get(`/menus/uploads/${uploadId}/menu`);
  expect(numbersIn(menu.text)).toEqual(SENT);
  const again = await world.owner.post(`/menus/uploads/${uploadId}/republish`, {}, ASYNC);
  const { text } = await world.owner.get(`/menus/uploads/${again.json.data.upload_id}/menu`);
  expect(numbersIn(text)).toEqual(SENT);
});

test('a menu is the same with other blanks between its tokens', async () => {
  const ids = [await upload(bodyWith(place())), await upload(bodyWith(place(), '\t'))];
  const documents = await world.api.sql`
    select distinct document_sha256 from menu_upload where upload_id = any(${ids})`;
  expect(documents).toHaveLength(1);
});

test('a rollout’s menu comes back as it was sent, also when the rollout is gone', async () => {
  const started = await world.owner.postRaw('/menus/rollouts', bodyWith({ targets: [place()] }));
  const { rollout_id: rolloutId } = started.json.data;
  const targets = await world.owner.get(`/menus/rollouts/${rolloutId}/targets`);
  const path = `/menus/uploads/${targets.json.data[0].upload_id}/menu`;
  const before = await world.owner.get(path);
  expect(numbersIn(before.text)).toEqual(SENT);
  await world.api.sql`
    update rollout set state = 'done', finished_at = now() - interval '40 days'
    where rollout_id = ${rolloutId}`;
  expect(await removeExpiredRollouts(world.api.sql, 30, 100)).toBe(1);
  const after = await world.owner.get(path);
  expect(after.json).toEqual(before.json);
  expect(numbersIn(after.text.replaceAll('" : ', '":'))).toEqual(SENT);
});
