import { versionedMenu } from '../support/versioned-menu';
import { addMenus } from './console-menus';
import { type ConsoleWorld, startConsoleWorld } from './console-world';
import { type Visitor, visit } from './visitor';

let world: ConsoleWorld;
let owner: Visitor;
let path: string;

beforeAll(async () => {
  world = await startConsoleWorld();
  await addMenus(world);
  owner = await visit(world.api.url, world.owner.token);
  path = `/console/stores/${world.rows.key.storeId}/preview`;
});
afterAll(() => world.api.stop());

function menu() {
  const whole = versionedMenu(7);
  const unused = { external_id: 'I9', name: 'Tiramisu', price: { value: '9900' } };
  return { ...whole, items: [...whole.items, { ...unused, data_modifier_groups: [] }] };
}

function formWith(given: { text?: string; file?: string; chosen?: readonly string[] }): FormData {
  const form = new FormData();
  for (const id of given.chosen ?? [integrationId()]) form.append('integration_ids', id);
  form.set('menu', given.text ?? '');
  form.set('file', new Blob([given.file ?? '']), given.file === undefined ? '' : 'menu.json');
  return form;
}

const integrationId = () => String(world.rows.key.integrationId);

async function countRows() {
  return world.api.sql`
    select (select count(*) from menu_upload) as uploads, (select count(*) from document) as documents,
      (select count(*) from delivery) as deliveries`;
}

describe('the preview of a menu', () => {
  test('is reached from the page of its store, with what has a token chosen', async () => {
    const store = await owner.get(`/console/stores/${world.rows.key.storeId}`);
    expect(store.text).toContain(`href="${path}"`);
    const { status, text } = await owner.get(path);
    expect(status).toBe(200);
    expect(text).toMatch(
      new RegExp(`value="${integrationId()}"[^>]* checked|checked[^>]* value="${integrationId()}"`),
    );
  });

  test.each(['text', 'file'])(
    'shows a menu given as %s as the API does, with what is lost beside the entity or apart, and writes nothing',
    async (as) => {
      const before = await countRows();
      const { status, text } = await owner.sendForm(
        path,
        formWith({ [as]: JSON.stringify(menu(), null, 1) }),
      );
      expect(status).toBe(200);
      expect(text).toContain('Margherita, version 7.');
      expect(text).toContain('149.00');
      expect(text).toContain('would be taken');
      const { json } = await world.owner.post('/menus/preview?include=shown', {
        ...menu(),
        store_id: world.rows.key.storeId,
      });
      const [result] = json.data.results;
      expect(result.losses.length).toBeGreaterThan(0);
      for (const { message } of result.losses) {
        expect(text).toContain(message.replaceAll('"', '&quot;'));
      }
      const apart = text.indexOf('Other losses');
      expect(text.slice(apart)).toContain('I9');
      expect(await countRows()).toEqual(before);
    },
  );

  test('is of the store of the page, whatever store the menu names', async () => {
    const foreign = await world.api.store();
    const text = JSON.stringify({ ...menu(), store_id: foreign, integration_ids: ['999'] });
    const page = await owner.sendForm(path, formWith({ text }));
    expect([page.status, page.text.includes('Margherita')]).toEqual([200, true]);
  });

  test('reads a large menu beside the event loop, with the same page', async () => {
    const text = `${' '.repeat(300 * 1024)}${JSON.stringify(menu())}`;
    const { status, text: page } = await owner.sendForm(path, formWith({ file: text }));
    expect([status, page.includes('Margherita, version 7.')]).toEqual([200, true]);
  });

  test('says why an app would not take it', async () => {
    const unknown = await owner.sendForm(
      path,
      formWith({ text: JSON.stringify(menu()), chosen: ['999'] }),
    );
    expect(unknown.status).toBe(200);
    expect(unknown.text).toContain('Integration not available.');
    expect(unknown.text).toContain('would be refused');
  });
});

describe('a refused form shows the reason in the page', () => {
  test.each([
    ['no JSON', '{"menus": <script>', 400, 'The request body is not valid JSON.'],
    ['nothing', '', 400, 'The request body is empty.'],
    ['no object', '[]', 400, 'The request body must be an object.'],
    ['a wrong shape', '{"menus":[]}', 422, 'The items field is required.'],
    [
      'a menu that breaks rules',
      JSON.stringify({ ...menu(), items: menu().items.slice(1) }),
      409,
      'I1',
    ],
  ])('of %s', async (_name, text, status, sentence) => {
    const page = await owner.sendForm(path, formWith({ text }));
    expect(page.status).toBe(status);
    const alert = page.text.slice(
      page.text.indexOf('role="alert"'),
      page.text.indexOf('<form method="post" action="/console/stores'),
    );
    expect(alert).toContain(sentence);
    expect(page.text.match(/<script[^>]*>/g)).toEqual(['<script src="/console/console.js" defer>']);
    // What was pasted is there to be mended.
    expect(page.text).toContain(
      text.slice(0, 10).replaceAll('"', '&quot;').replaceAll('<', '&lt;'),
    );
  });

  test('a menu that breaks rules shows each place, what was sent and what to write', async () => {
    const items = menu().items.map((item) => ({ ...item, price: { value: '5/8' } }));
    const page = await owner.sendForm(
      path,
      formWith({ text: JSON.stringify({ ...menu(), items }) }),
    );
    expect(page.status).toBe(409);
    expect(page.text).toContain(`(${items.length} times)`);
    expect(page.text).toContain('Hundredths as digits: 10.30 is');
    for (const [index, { external_id: id }] of items.entries()) {
      expect(page.text).toContain(`<b>${id} </b><code>/items/${index}/price/value</code>`);
    }
  });

  test('of too many apps', async () => {
    const chosen = Array.from({ length: 21 }, (_, index) => String(index + 1));
    const page = await owner.sendForm(path, formWith({ text: JSON.stringify(menu()), chosen }));
    expect(page.status).toBe(422);
    expect(page.text).toContain('The integration ids may not have more than 20 items.');
  });

  test('of an answer that is too large for a page', async () => {
    const whole = menu();
    const many = Array.from({ length: 9_000 }, (_, index) => ({
      external_id: `N${index}`,
      name: `Item ${index}`,
      description: 'crisp '.repeat(40),
      price: { value: '100' },
      data_modifier_groups: [],
    }));
    const categories = [
      {
        external_id: 'C1',
        name: 'All',
        data_items: many.map((each) => ({ item_external_id: each.external_id })),
      },
    ];
    const file = JSON.stringify({ ...whole, categories, items: many });
    const { status, text } = await owner.sendForm(path, formWith({ file }));
    expect([status, text.includes('It is too large for a page.')]).toEqual([404, true]);
  });
});

describe('the form', () => {
  test('is refused without its token, of another type, of another shape, and when it is too large', async () => {
    const { headers } = await fetch(`${world.api.url}/console/sign-in`, {
      method: 'POST',
      body: new URLSearchParams({ token: world.owner.token }),
      redirect: 'manual',
    });
    const cookie = headers.get('set-cookie')?.split(';')[0] ?? '';
    const post = async (body: FormData | URLSearchParams | string, more = {}) =>
      (
        await fetch(`${world.api.url}${path}`, {
          method: 'POST',
          body,
          headers: { cookie, ...more },
        })
      ).status;
    expect(await post(formWith({ text: '{}' }))).toBe(403);
    const wrong = formWith({ text: '{}' });
    wrong.set('form_token', 'wrong');
    expect(await post(wrong)).toBe(403);
    expect(await post(new URLSearchParams({ menu: '{}' }))).toBe(415);
    const type = { 'content-type': 'multipart/form-data; boundary=b' };
    expect(await post('--c', type)).toBe(400);
    const tooLarge = formWith({ text: 'x'.repeat(10 * 1024 * 1024 + 20_000) });
    expect(await post(tooLarge)).toBe(413);
  });

  test('is refused for another user’s store, and a menu over the size of a body in the page', async () => {
    const stranger = await visit(world.api.url, (await world.api.user()).token);
    const refused = await stranger.sendForm(path, formWith({ text: JSON.stringify(menu()) }));
    expect([refused.status, refused.text.includes('Margherita')]).toEqual([409, false]);
    expect((await stranger.get(path)).status).toBe(409);
    const file = ' '.repeat(10 * 1024 * 1024 + 1);
    const { status, text } = await owner.sendForm(path, formWith({ file }));
    expect([status, text.includes('The request body is too large.')]).toEqual([413, true]);
  });
});
