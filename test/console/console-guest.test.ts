import { readFileSync } from 'node:fs';
import { type BrowserPage, inBrowser, startBrowser } from '../support/browser';
import { goLiveIn, startPictures, TAQUERIA } from './guest-menus';
import { type ConsoleWorld, startConsoleWorld } from './console-world';

/** A busy machine draws pages slowly. */
jest.setTimeout(120_000);

const AXE = readFileSync(require.resolve('axe-core'), 'utf8');
const [describeInBrowser, title] = inBrowser('a menu as guests see it');

/** What runs over the edge of the window; what scrolls by itself may, and what is only read out. */
const OVERFLOW = `[...document.querySelectorAll('body *')]
  .filter((each) => !each.closest('.scroll, .skip, .unseen') && each.getBoundingClientRect().right > innerWidth + 1)
  .map((each) => each.outerHTML.slice(0, 100))`;
const VIOLATIONS = `axe.run().then(({ violations }) => violations.map((each) =>
  each.id + ': ' + each.nodes.map((node) => node.html).join(' ')))`;
/** Lazy pictures are loaded once they are near the window. */
const LOADED = `(() => {
  for (const each of document.images) each.loading = 'eager';
  return [...document.images].every((each) => each.complete);
})()`;

describeInBrowser(title, () => {
  let world: ConsoleWorld;
  let page: BrowserPage;
  let pictures: Awaited<ReturnType<typeof startPictures>>;
  beforeAll(async () => {
    page = await startBrowser();
    pictures = await startPictures();
    world = await startConsoleWorld();
    for (const app of ['app-b', 'app-a', 'app-c', 'app-d'] as const) {
      await goLiveIn(world, app, pictures.origin);
    }
    await world.api.sql`
      insert into availability_mark (store_id, integration_id, external_id, by_api, by_stock, change_id)
      values (${world.rows.key.storeId}::bigint, ${world.rows.key.integrationId}::bigint, 'D2', false, true, 'avc_gone')`;
    await page.open(`${world.api.url}/console`);
    await page.evaluate(
      `document.querySelector('input[name=token]').value = ${JSON.stringify(world.owner.token)}`,
    );
    await page.follow('document.querySelector("form").requestSubmit()');
  });
  afterAll(async () => {
    await page.close();
    pictures.stop();
    await world.api.stop();
  });

  test('of a store stands in each app side by side, with its pictures, at all widths', async () => {
    await page.open(`${world.api.url}/console/stores/${world.rows.key.storeId}/menu`);
    await page.waitFor(LOADED);
    await page.evaluate(`${AXE}; undefined`);
    for (const width of [360, 800, 1_280, 1_440, 1_920]) {
      for (const scheme of ['light', 'dark'] as const) {
        await page.look({ width, scheme });
        expect([width, await page.evaluate(OVERFLOW)]).toEqual([width, []]);
        expect([width, scheme, await page.evaluate(VIOLATIONS)]).toEqual([width, scheme, []]);
      }
    }
    const tops = await page.evaluate<number[]>(
      `[...document.querySelectorAll('.apps > section')].map((each) => each.getBoundingClientRect().top)`,
    );
    expect(tops).toHaveLength(4);
    expect(new Set(tops).size).toBe(1);
    await page.look({ width: 360, scheme: 'light' });
    expect(
      await page.evaluate(
        `new Set([...document.querySelectorAll('.apps > section')].map((each) => each.getBoundingClientRect().top)).size`,
      ),
    ).toBe(4);
    const shown = await page.evaluate<[string, number][]>(
      `[...document.images].map((each) => [each.alt, each.naturalWidth])`,
    );
    expect(shown).toContainEqual(['Picture of Agua de jamaica', 160]);
    expect(shown).toContainEqual(['Picture of Tacos de nopal', 0]);
    const text = await page.evaluate<string>('document.querySelector("main").textContent');
    expect(text).toContain('79.00 instead of 99.00');
    expect(text).toContain('Mon–Sat 09:00–22:00; Sun 09:00–16:00');
    expect(text).toContain('The stock system says that there is none left.');
    expect(text).toContain('allergens gluten, sulphites');
    // The browser says of each picture that it has not got it; nothing else is wrong.
    expect(page.complaints.filter((each) => !each.includes('404'))).toEqual([]);
  });

  test('of a preview stands in each app side by side', async () => {
    await page.open(`${world.api.url}/console/stores/${world.rows.key.storeId}/preview`);
    await page.evaluate(
      `document.querySelector('textarea[name=menu]').value = ${JSON.stringify(JSON.stringify(TAQUERIA))}`,
    );
    await page.follow('document.querySelector("form.preview").requestSubmit()');
    await page.evaluate(`${AXE}; undefined`);
    for (const width of [360, 1_440]) {
      await page.look({ width, scheme: 'light' });
      expect([width, await page.evaluate(OVERFLOW)]).toEqual([width, []]);
      expect([width, await page.evaluate(VIOLATIONS)]).toEqual([width, []]);
    }
    expect(await page.evaluate('document.querySelectorAll(".apps > section").length')).toBe(3);
  });
});
