import { type BrowserPage, inBrowser, startBrowser } from '../support/browser';
import { PAGE_IDS, pathsOf } from './all-pages';
import { addMenus, type ConsoleMenus } from './console-menus';
import { type ConsoleWorld, startConsoleWorld } from './console-world';

/** A busy machine draws pages slowly. */
jest.setTimeout(120_000);

const [describeInBrowser, title] = inBrowser('by keys only');

/** Where the focus is, and whether a person sees that; null: nowhere on the page. */
interface Focus {
  readonly name: string;
  readonly hasOutline: boolean;
  readonly isInWindow: boolean;
  readonly isInMain: boolean;
}

const NAME_OF = `(at) => at.getAttribute('aria-label') ?? (at.name || at.textContent.trim())`;
const FOCUS = `(() => {
  const at = document.activeElement;
  if (!at || at === document.body) return null;
  const { outlineStyle, outlineWidth } = getComputedStyle(at);
  const box = at.getBoundingClientRect();
  return {
    name: (${NAME_OF})(at),
    hasOutline: outlineStyle === 'solid' && parseFloat(outlineWidth) >= 2,
    // Of what is taller than the window, the outline is seen beside it.
    isInWindow: box.width > 0 && box.left >= 0 && (box.top >= 0 || box.height > innerHeight)
      && box.left < innerWidth && box.top < innerHeight && box.bottom > 0,
    isInMain: at.closest('main') !== null,
  };
})()`;
/** What can have the focus, in the order of the page. */
const STOPS = `[...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"]')]
  .filter((each) => each.type !== 'hidden' && each.checkVisibility())
  .map(${NAME_OF})`;
const HEADING = 'document.querySelector("h1").textContent';
/** More than any page of the test has. */
const MOST_STOPS = 80;

describeInBrowser(title, () => {
  let world: ConsoleWorld;
  let menus: ConsoleMenus;
  let page: BrowserPage;
  beforeAll(async () => {
    world = await startConsoleWorld();
    menus = await addMenus(world);
    page = await startBrowser();
    await page.look({ width: 1_440, scheme: 'light' });
  });
  afterAll(async () => {
    await page.close();
    await world.api.stop();
  });

  /** Goes on by one stop, which is seen to have the focus. */
  async function tab(): Promise<Focus | null> {
    await page.press('Tab');
    const focus = await page.evaluate<Focus | null>(FOCUS);
    if (focus && !(focus.hasOutline && focus.isInWindow)) {
      throw new Error(`nobody sees that ${focus.name} has the focus`);
    }
    return focus;
  }

  async function tabTo(name: string): Promise<Focus> {
    for (let stop = 0; stop < MOST_STOPS; stop += 1) {
      const focus = await tab();
      if (focus?.name === name) return focus;
    }
    throw new Error(`the focus never came to ${name}`);
  }

  /** What Tab goes by, as many stops as the page has, and where it is then. */
  async function walk(stops: readonly string[]) {
    const walked: (string | undefined)[] = [];
    while (walked.length < stops.length) walked.push((await tab())?.name);
    return { walked, after: (await tab())?.name ?? null };
  }

  async function signIn(token = world.owner.token): Promise<void> {
    await page.open(`${world.api.url}/console/sign-in`);
    await tabTo('token');
    await page.type(token);
    await page.pressAndFollow('Enter');
    expect(await page.evaluate(HEADING)).toBe('Overview');
  }

  test('a user signs in, publishes an upload again, comes back and signs out', async () => {
    await signIn();
    await tabTo('Uploads');
    await page.pressAndFollow('Enter');
    expect(await page.evaluate(HEADING)).toBe('Uploads');

    await tabTo(menus.liveId);
    await page.pressAndFollow('Enter');
    expect(await page.evaluate(HEADING)).toBe(`Upload ${menus.liveId}`);

    await tabTo('Publish again');
    const question = 'document.querySelector("details.action").open';
    expect(await page.evaluate(question)).toBe(false);
    await page.press('Enter');
    expect(await page.evaluate(question)).toBe(true);
    // The button is the next stop, so that nobody looks for it.
    expect((await tab())?.name).toBe('Yes: publish again');
    await page.pressAndFollow('Enter');
    const heading = await page.evaluate<string>(HEADING);
    expect(heading).toMatch(/^Upload upl_/);
    expect(heading).not.toContain(menus.liveId);

    await tabTo(menus.liveId);
    await page.pressAndFollow('Enter');
    expect(await page.evaluate(HEADING)).toBe(`Upload ${menus.liveId}`);

    await tabTo('Sign out');
    await page.pressAndFollow('Enter');
    expect(await page.evaluate(HEADING)).toBe('Sign in');
    await page.open(`${world.api.url}/console/uploads`);
    expect(await page.evaluate(HEADING)).toBe('Sign in');
    expect(page.complaints).toEqual([]);
  });

  test('the first stop skips to the content', async () => {
    await signIn();
    await page.open(`${world.api.url}/console/uploads`);
    expect((await tab())?.name).toBe('Skip to the content');
    await page.press('Enter');
    // The filter, behind the sections and the button that signs out.
    expect(await tab()).toMatchObject({ name: 'state', isInMain: true });
  });

  test('an operator signs in, who sees every page', async () => {
    await signIn((await world.api.user('operator')).token);
    expect(await page.evaluate('document.querySelector(".role").textContent')).toBe('operator');
  });

  test.each(PAGE_IDS)(
    '%s does not keep the focus, in a wide window and in a narrow one',
    async (id) => {
      for (const width of [1_440, 360]) {
        await page.look({ width, scheme: width === 360 ? 'dark' : 'light' });
        await page.open(`${world.api.url}${pathsOf(world, menus)[id]}`);
        const stops = await page.evaluate<string[]>(STOPS);
        const { walked, after } = await walk(stops);
        expect(walked).toEqual(stops);
        // It leaves the page, or begins again.
        expect([null, stops[0]]).toContain(after);
      }
    },
  );
});
