import { readFileSync } from 'node:fs';
import { type BrowserPage, inBrowser, startBrowser } from '../support/browser';
import { versionedMenu } from '../support/versioned-menu';
import { OTHER_LOOKS, otherPathsOf, PAGE_IDS, pathsOf } from './all-pages';
import { addMenus, type ConsoleMenus } from './console-menus';
import { endedDeliveries } from './ended-deliveries';
import { type ConsoleWorld, startConsoleWorld } from './console-world';

/** A busy machine draws pages slowly. */
jest.setTimeout(300_000);

const AXE = readFileSync(require.resolve('axe-core'), 'utf8');

interface Scale {
  readonly values: readonly string[];
  readonly times: readonly string[];
  readonly smallest: number;
  readonly off: number;
  readonly offClock: number;
  readonly overlaps: boolean;
}

/** Of each plot by minutes: what stands beside it and under it, and how far each value is from its line, px. */
const SCALES = `[...document.querySelectorAll('figure.scaled')].map((figure) => {
  const drawing = figure.querySelector('svg').getBoundingClientRect();
  const [values, times] = ['.values', '.times'].map((of) => [...figure.querySelectorAll(of + ' span')]);
  const boxes = (all) => all.map((each) => {
    const range = document.createRange();
    range.selectNodeContents(each);
    return range.getBoundingClientRect();
  });
  const clocks = boxes(times);
  return {
    values: values.map((each) => each.textContent),
    times: times.map((each) => each.textContent),
    smallest: Math.min(...[...values, ...times].map((each) => parseFloat(getComputedStyle(each).fontSize))),
    off: Math.max(...boxes(values).map((box, at) =>
      Math.abs((box.top + box.bottom) / 2 - drawing.top - at * drawing.height / 2))),
    offClock: Math.max(...clocks.slice(0, -1).map((box, at) =>
      Math.abs((box.left + box.right) / 2 - drawing.left - at * drawing.width / 4))),
    overlaps: clocks.some((box, at) => at > 0 && box.left < clocks[at - 1].right + 4),
  };
})`;

interface Look {
  readonly scrolls: boolean;
  readonly columns: number;
  readonly titles: readonly string[];
}

/** What overlaps or runs over the edge of the window; what scrolls by itself may. */
const OVERFLOW = `(() => {
  const inside = (each) => each.closest('.scroll') || each.closest('.skip');
  return [...document.querySelectorAll('body *')]
    .filter((each) => !inside(each) && each.getBoundingClientRect().right > innerWidth + 1)
    .map((each) => each.outerHTML.slice(0, 100));
})()`;

/** Of each table: whether it scrolls, its role, and where its first row's cells stand. */
const TABLES = `[...document.querySelectorAll('.scroll')].map((region) => {
  const cells = [...region.querySelectorAll('tbody tr:first-child td')];
  const tops = cells.map((cell) => cell.getBoundingClientRect().top);
  return {
    scrolls: region.scrollWidth > region.clientWidth,
    columns: new Set(tops).size === 1 ? cells.length : 1,
    titles: cells.map((cell) => getComputedStyle(cell, '::before').content),
  };
})`;

const [describeInBrowser, title] = inBrowser('in a browser');

describeInBrowser(title, () => {
  let world: ConsoleWorld;
  let menus: ConsoleMenus;
  let page: BrowserPage;
  beforeAll(async () => {
    world = await startConsoleWorld({ PUBLIC_URL: 'https://pos.example.com' });
    menus = await addMenus(world);
    await addLongNames();
    await world.owner.post('/events/webhook/manage', { url: 'http://127.0.0.1:9/events' });
    const addEnded = await endedDeliveries(world);
    await addEnded({ state: 'acknowledged', agoMs: 300_000, ms: 200 });
    await addEnded({ state: 'exhausted', agoMs: 400_000, ms: 9_000 });
    page = await startBrowser();
  });
  afterAll(async () => {
    await page.close();
    await world.api.stop();
  });

  /** Names as long as they are in the field, and a store in trouble. */
  async function addLongNames(): Promise<void> {
    const { sql } = world.api;
    const { storeId } = world.rows.key;
    await sql`
      update store set name = 'Restaurante y Pizzería La Trattoria del Centro Histórico', direction = 'Avenida 20 de Noviembre 1234, Colonia Centro'
      where store_id = ${storeId}::bigint`;
    await sql`update integration set name = 'Main brand of the whole group, weekends'`;
    await sql`
      update subscription set failing_since = now() - interval '1 h',
        url = ${`https://stock.example/${'tenants/'.repeat(12)}webhook`}`;
    await sql`update delivery set created_at = now() - interval '1 h'`;
    await sql`
      update menu_upload set state = 'running', next_attempt_at = now() + interval '1 h', wait_reason = 'app_unavailable',
        retry_reason = 'status 503: the service is not available at this moment', failed_tries = 9
      where upload_id = ${world.uploadId}`;
  }

  /** The page that is open, at five widths in light and dark. */
  async function holds(name: string): Promise<void> {
    await page.evaluate(`${AXE}; undefined`);
    for (const width of [360, 800, 1_280, 1_440, 1_920]) {
      for (const scheme of ['light', 'dark'] as const) {
        await page.look({ width, scheme });
        expect([name, width, await page.evaluate(OVERFLOW)]).toEqual([name, width, []]);
        const tables = await page.evaluate<Look[]>(TABLES);
        expect([name, width, tables.filter(({ scrolls }) => scrolls)]).toEqual([name, width, []]);
        // Below each other as cards, or all beside each other.
        const wrong = tables.filter(({ columns }) => (columns === 1) !== width < 1_024);
        expect([name, width, wrong]).toEqual([name, width, []]);
        const found = await page.evaluate<string[]>(
          `axe.run().then(({ violations }) => violations.map((each) =>
            each.id + ': ' + each.nodes.map((node) => node.html).join(' ')))`,
        );
        expect([name, width, scheme, found]).toEqual([name, width, scheme, []]);
      }
    }
  }

  let seen = 0;
  /** What the browser has said in this test; of a refused page it says the status. */
  function complaints(): readonly string[] {
    return page.complaints.slice(seen).filter((each) => !/status of 4\d\d/.test(each));
  }
  beforeEach(() => {
    seen = page.complaints.length;
  });

  /** As an operator: who sees every page. */
  async function signIn(): Promise<void> {
    const operator = await world.api.user('operator');
    await operator.post('/events/webhook/manage', { url: 'http://127.0.0.1:9/events' });
    await page.open(`${world.api.url}/console`);
    await page.waitFor('document.querySelector("input[name=token]")');
    await page.evaluate(
      `document.querySelector('input[name=token]').value = ${JSON.stringify(operator.token)}`,
    );
    await page.follow('document.querySelector("form").requestSubmit()');
    expect(await page.evaluate('document.querySelector("h1").textContent')).toBe('Overview');
  }

  test('every page is among those that are looked at', () => {
    expect(Object.keys(pathsOf(world, menus)).toSorted()).toEqual(PAGE_IDS.toSorted());
  });

  test('after signing in, the overview has its plots', async () => {
    await signIn();
    // Deliveries, durations, backlog, and the uploads to one app.
    expect(await page.evaluate('document.querySelectorAll("figure svg").length')).toBe(5);
  });

  test.each(PAGE_IDS)(
    '%s fits five widths in light and dark, and axe finds nothing',
    async (id) => {
      await page.open(`${world.api.url}${pathsOf(world, menus)[id]}`);
      await holds(id);
      expect(complaints()).toEqual([]);
    },
  );

  test.each([...OTHER_LOOKS])('so does %s', async (look) => {
    await page.open(`${world.api.url}${otherPathsOf(world, menus)[look]}`);
    await holds(look);
    expect(complaints()).toEqual([]);
  });

  test('so do a sign-in link, when it is made, and what it opens', async () => {
    await page.open(`${world.api.url}/console/users`);
    const form = `document.querySelector('form[action*="${world.owner.userId}"]')`;
    await page.follow(`${form}.requestSubmit()`);
    await holds('a link that was made');
    const { pathname, search } = new URL(
      await page.evaluate<string>('document.querySelector("main code").textContent'),
    );
    await page.open(`${world.api.url}${pathname}${search}`);
    expect(await page.evaluate('document.querySelector("main form") !== null')).toBe(true);
    await holds('what a link opens');
    expect(complaints()).toEqual([]);
  });

  test('rows of a table are cards in a narrow window, with the titles of their cells, and stay a table to screen readers', async () => {
    // Longer than a line, without a place to break it.
    await world.api.sql`update subscription set url = ${`https://${'x'.repeat(200)}.example/`}`;
    await page.open(`${world.api.url}/console/webhooks`);
    await page.look({ width: 1_440, scheme: 'light' });
    const [wide] = await page.evaluate<Look[]>(TABLES);
    expect(wide?.columns).toBeGreaterThan(5);
    expect(new Set(wide?.titles)).toEqual(new Set(['none']));
    const heads = 'return [...document.querySelectorAll("th")].map((each) => each.textContent)';
    const titles = await page.evaluate<string[]>(`(() => { ${heads} })()`);
    await page.look({ width: 360, scheme: 'dark' });
    const [narrow] = await page.evaluate<Look[]>(TABLES);
    expect(narrow).toMatchObject({ columns: 1, scrolls: false });
    // The text for who sees it, and none to be read out: the header cells are.
    expect(narrow?.titles).toEqual(titles.map((each) => `"${each}" / ""`));
    const roles = await page.readOut();
    for (const role of ['table', 'row', 'columnheader', 'cell']) expect(roles).toContain(role);
    expect(roles.filter((role) => role === 'columnheader')).toHaveLength(titles.length);
  });

  test('a plot has values beside it and the clock under it, each at its line, also in a narrow window', async () => {
    await page.open(`${world.api.url}/console`);
    for (const width of [360, 1_440]) {
      await page.look({ width, scheme: 'dark' });
      const scales = await page.evaluate<Scale[]>(SCALES);
      expect(scales.map(({ values }) => values)).toEqual([
        ['2', '1', '0'],
        ['10 s', '5 s', '0'],
        ['2', '1', '0'],
        ['2 h', '60 min', '0'],
      ]);
      for (const { times, smallest, off, offClock, overlaps } of scales) {
        expect(times).toEqual(
          Array.from({ length: 5 }, () => expect.stringMatching(/^\d\d:\d\d$/)),
        );
        expect({ smallest, overlaps }).toEqual({ smallest: 13, overlaps: false });
        expect(Math.max(off, offClock)).toBeLessThanOrEqual(2);
      }
    }
  });

  test('a menu in a file is previewed, and a wrong pasted one stays in the form to be mended', async () => {
    await page.open(`${world.api.url}/console/stores/${world.rows.key.storeId}/preview`);
    const menu = JSON.stringify(versionedMenu(5));
    await page.evaluate(`(() => {
      const files = new DataTransfer();
      files.items.add(new File([${JSON.stringify(menu)}], 'menu.json'));
      document.querySelector('input[type=file]').files = files.files;
    })()`);
    await page.follow('document.querySelector("form.preview button").click()');
    expect(await page.evaluate('document.querySelector("main").textContent')).toContain(
      'Margherita, version 5.',
    );
    await holds('the preview');
    await page.evaluate('document.querySelector("textarea").value = "{wrong"');
    await page.follow('document.querySelector("form.preview button").click()');
    expect(await page.evaluate('document.querySelector("[role=alert]").textContent')).toBe(
      'The request body is not valid JSON.',
    );
    expect(await page.evaluate('document.querySelector("textarea").value')).toBe('{wrong');
    await holds('the preview of what is wrong');
    expect(complaints()).toEqual([]);
  });

  test('an action of a list asks first, is done by the button under the question, and leads to what it changed', async () => {
    await page.open(`${world.api.url}/console/webhooks`);
    const action = `document.querySelector('form[action*="${world.systemId}"]')`;
    await page.evaluate(`${action}.closest('details').querySelector('summary').click()`);
    await page.follow(`${action}.querySelector('button').click()`);
    expect(await page.evaluate('document.querySelector("dd .state").textContent')).toBe('disabled');
    const { json } = await world.owner.get(`/inventory/system/${world.systemId}/webhook`);
    expect(json.data[0].state).toBe('disabled');
  });

  test('an overview with a webhook that gets nothing, a paused store and a rollout that failed in part fits and has no findings', async () => {
    const { sql } = world.api;
    const { storeId, integrationId } = world.rows.key;
    await sql`
      update subscription set paused_until = now() + interval '5 min', failing_since = now()`;
    await sql`
      insert into store_pause (store_id, integration_id, until, reason, change_id)
      values (${storeId}::bigint, ${integrationId}::bigint, now() + interval '2 h', 'No gas in the kitchen until the plumber has come', 'avc_gone')`;
    await sql`
      update rollout set state = 'done', finished_at = now(), counts = '{"uploaded": 197, "failed": 3}'
      where rollout_id = ${menus.rolloutId}`;
    for (const path of ['/console/rollouts', `/console/rollouts/${menus.rolloutId}`, '/console']) {
      await page.open(`${world.api.url}${path}`);
      const text = await page.evaluate<string>('document.querySelector("main").textContent');
      expect(text.toLowerCase()).toContain('done, 3 of 200 failed');
      await holds(path);
    }
    const text = await page.evaluate<string>('document.querySelector("main").textContent');
    for (const words of ['Stock keeper', 'No gas in the kitchen']) expect(text).toContain(words);
  });
});
