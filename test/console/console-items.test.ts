import { MOVEMENT } from '../../src/contract/examples';
import { ITEM_SEARCH_WORDS } from '../../src/contract/plain-words';
import { matcherOf } from '../../src/console/narrow-menu';
import { packInThread } from '../../src/uploads/documents';
import { versionedMenu } from '../support/versioned-menu';
import { addMenus } from './console-menus';
import { type ConsoleWorld, startConsoleWorld } from './console-world';
import { type Visitor, visit } from './visitor';

/* An item by its name or id: from Find, and within a store. */

let world: ConsoleWorld;
let owner: Visitor;
let stranger: Visitor;
let storePage: string;

beforeAll(async () => {
  world = await startConsoleWorld();
  await addMenus(world);
  owner = await visit(world.api.url, world.owner.token);
  stranger = await visit(world.api.url, (await world.api.user()).token);
  await world.owner.patch(`/store/${world.rows.key.storeId}`, { name: 'Pizzería Roma' });
  storePage = `/console/stores/${world.rows.key.storeId}`;
});
afterAll(() => world.api.stop());

const query = (fields: Record<string, string>) => new URLSearchParams(fields).toString();
const find = (fields: Record<string, string>) => owner.get(`/console/find?${query(fields)}`);
/** The words of the page of an item in the store. */
async function itemPage(item: string): Promise<string> {
  const { status, text } = await owner.get(`${storePage}/menu?${query({ item })}`);
  expect([item, status]).toEqual([item, 200]);
  return text
    .slice(text.indexOf('<main'))
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ');
}

test.each([
  ['by words of its name, in any case, without accents', 'JALAPEÑO pizza', true],
  ['by its id', 'p-1', true],
  ['not by words that only some have', 'pizza hawaii', false],
  ['not by nothing', ' ', false],
])('an item is called so %s', (_how, typed, isCalledSo) => {
  expect(matcherOf(typed)('P-1', 'Pizza Jalapeno')).toBe(isCalledSo);
});

describe('in a store', () => {
  test('the page of the store has a field for it', async () => {
    const { text } = await owner.get(storePage);
    expect(text).toContain(`<form method="get" action="${storePage}/menu" class="filter">`);
  });

  test('it stands with its price, in each app, and nothing else of the menu does', async () => {
    const text = await itemPage('margherita');
    expect(text).toMatch(/App B.*Margherita, version 2\. 149\.00 I1/);
    expect(text).not.toContain('Water');
  });

  test('that is off sale says since when, why and what to do', async () => {
    const text = await itemPage('water');
    expect(text).toMatch(
      /Water 25\.00 off sale now since \d{4}-\d\d-\d\d [\d:]+ \. The POS took it off sale\. Put it on sale again/,
    );
  });

  test('that the app cannot show says why', async () => {
    const text = await itemPage('I9');
    expect(text).toContain('Guests of this app do not see “I9”.');
    expect(text).toContain(ITEM_SEARCH_WORDS.lost.means);
    expect(text).toMatch(/What is lost of it.*I9/);
  });

  test('that no menu has says so', async () => {
    const text = await itemPage('coca cola');
    expect(text).toContain('Guests of this app do not see “coca cola”.');
    expect(text).toContain(ITEM_SEARCH_WORDS.not_in_menu.means);
    expect(text).toContain('No stock movement of it was sent');
  });

  test('that a menu has which failed, or which waits, leads to that menu', async () => {
    const { sql } = world.api;
    const menu = versionedMenu(3);
    const cola = { external_id: 'I5', name: 'Coca Cola', price: { value: '3000' } };
    const items = [...menu.items, { ...cola, data_modifier_groups: [] }];
    const packed = packInThread(Buffer.from(JSON.stringify({ ...menu, items })));
    await sql`
      insert into document (sha256, content_gzip, size)
      values (${packed.sha256}, ${packed.contentGzip}, ${packed.size})`;
    await sql`
      update menu_upload set document_sha256 = ${packed.sha256},
        sent_beside = json_build_object('store_id', store_id, 'integration_id', integration_id::text)
      where upload_id in (${world.failedId}, ${world.uploadId})`;
    // Newer than what is live.
    await sql`update menu_upload set state = 'canceled', finished_at = now() where state = 'queued'`;
    await sql`
      update menu_upload set seq = (select max(seq) + 1 from menu_upload) where upload_id = ${world.failedId}`;
    const path = `${storePage}/menu?${query({ item: 'coca cola' })}`;
    const failed = await owner.get(path);
    expect(failed.text).toContain(ITEM_SEARCH_WORDS.in_failed.means);
    expect(failed.text).toContain(`href="/console/uploads/${world.failedId}"`);
    await sql`
      update menu_upload set state = 'running', finished_at = null where upload_id = ${world.uploadId}`;
    const waiting = await owner.get(path);
    expect(waiting.text).toContain(ITEM_SEARCH_WORDS.in_waiting.means);
    expect(waiting.text).toContain(`href="/console/uploads/${world.uploadId}"`);
  });

  test('is in none where nothing is live', async () => {
    const { sql } = world.api;
    const { storeId } = world.rows.key;
    const [was] = await sql<{ id: string }[]>`
      select live_upload_id as id from publication where store_id = ${storeId}::bigint`;
    const live = (id: string | null) =>
      sql`update publication set live_upload_id = ${id} where store_id = ${storeId}::bigint`;
    await live(null);
    expect(await itemPage('hawaii')).toContain(ITEM_SEARCH_WORDS.nothing_live.means);
    await live(was?.id ?? null);
  });

  test('off sale leads to it from the list of those, and back', async () => {
    const { storeId } = world.rows.key;
    const { text } = await owner.get('/console/availability');
    expect(text).toContain(`<a href="${storePage}/menu?item=I2">I2</a>`);
    expect(text).toContain('<span class="state warn">off sale</span>');
    const item = await owner.get(`${storePage}/menu?item=I2`);
    expect(item.text).toContain(`href="/console/availability?store_id=${storeId}"`);
  });

  test('is not said to be seen as it was sent where the store is paused, or the app was changed', async () => {
    const { sql } = world.api;
    const { storeId, integrationId } = world.rows.key;
    const both = /The store is paused\. Guests cannot order.*The app no longer shows what was sent/;
    expect(await itemPage('margherita')).not.toMatch(both);
    await sql`
      insert into store_pause (store_id, integration_id, change_id)
      values (${storeId}::bigint, ${integrationId}::bigint, 'avc_gone')`;
    await sql`
      update publication set drift_state = 'changed', drift_checked_at = now() where store_id = ${storeId}::bigint`;
    expect(await itemPage('margherita')).toMatch(both);
    await sql`delete from store_pause`;
  });

  test('of a message leads to it', async () => {
    const { text } = await owner.get(`/console/deliveries/${world.deliveryId}`);
    expect(text).toContain(`<a href="${storePage}/menu?item=${MOVEMENT.external_id}">`);
  });

  test('its stock movements in the store stand below', async () => {
    const text = await itemPage(MOVEMENT.external_id);
    expect(text).toMatch(/What stock systems were told about it .*margherita −1, 9 left/);
    expect(await itemPage('water')).not.toContain('9 left');
  });

  test('is nothing for a user who does not see the store', async () => {
    const { status, text } = await stranger.get(`${storePage}/menu?item=margherita`);
    expect(status).toBe(409);
    expect(text).not.toContain('149.00');
  });
});

describe('from Find', () => {
  test('an item off sale in one place leads to it there', async () => {
    const { status, headers } = await find({ q: 'I2' });
    expect([status, headers.get('location')]).toEqual([303, `${storePage}/menu?item=I2`]);
  });

  test('its stock movements are shown, with its state, and the stores where it may be', async () => {
    const { text, headers } = await find({ q: MOVEMENT.external_id });
    // Dear, and true of now: it does not refresh itself.
    expect([headers.get('etag'), text.includes('data-etag')]).toEqual([null, false]);
    expect(text).toContain('Messages to stock systems about an item with this id');
    expect(text).toContain(`href="/console/deliveries/${world.deliveryId}"`);
    expect(text).toContain(`href="/console/deliveries?external_id=${MOVEMENT.external_id}"`);
    expect(text).toContain(`<a href="${storePage}/menu?item=margherita">In Pizzería Roma</a>`);
    const other = await stranger.get(`/console/find?${query({ q: MOVEMENT.external_id })}`);
    expect(other.text).not.toContain(world.deliveryId);
    expect(other.text).not.toContain('Pizzería Roma');
  });

  test('with a store it leads there; a store that is none says so', async () => {
    const { status, headers } = await find({ q: 'coca cola', store: 'roma' });
    expect([status, headers.get('location')]).toEqual([303, `${storePage}/menu?item=coca+cola`]);
    expect((await find({ q: 'coca cola', store: 'milano' })).text).toContain(
      'No store that you may see is called “milano”.',
    );
  });

  test('an id of ours names no item', async () => {
    await world.api.sql`
      update menu_upload set request_id = 'gw-1' where upload_id in (${world.failedId}, ${world.uploadId})`;
    const { text } = await find({ q: 'gw-1' });
    expect(text).toContain(`href="/console/uploads/${world.failedId}"`);
    expect(text).not.toContain('Is it an item of a menu?');
  });
});
