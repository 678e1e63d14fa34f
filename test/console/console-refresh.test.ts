import { type BrowserPage, inBrowser, startBrowser } from '../support/browser';
import { type ConsoleWorld, startConsoleWorld } from './console-world';
import { type Visitor, visit } from './visitor';

/** A busy machine draws pages slowly. */
jest.setTimeout(120_000);

let world: ConsoleWorld;
let owner: Visitor;
beforeAll(async () => {
  world = await startConsoleWorld();
  owner = await visit(world.api.url, world.owner.token);
});
afterAll(() => world.api.stop());

describe('the tag of a page', () => {
  const PATH = '/console/uploads?state=queued';
  const tagOf = async () => (await owner.get(PATH)).headers.get('etag') ?? '';

  test('stays while the page shows the same, and a reader who has it gets no page', async () => {
    const tag = await tagOf();
    expect(tag).toMatch(/^"[\w-]{22}"$/);
    expect(await tagOf()).toBe(tag);
    // A proxy that compresses makes it weak, and browsers add this to what a script asks.
    for (const given of [tag, `W/${tag}`, `"other", ${tag}`]) {
      const { status, headers, text } = await owner.get(PATH, {
        'if-none-match': given,
        'cache-control': 'no-cache',
      });
      expect([status, text, headers.get('etag')]).toEqual([304, '', tag]);
      expect(headers.get('cache-control')).toBe('no-store');
    }
    expect((await owner.get(PATH)).text).toContain(`data-etag="${tag.slice(1, -1)}"`);
  });

  test('is another one as soon as the page shows something else', async () => {
    const tag = await tagOf();
    await world.rows.insert({ text: 'one more menu' });
    const { status, text } = await owner.get(PATH, { 'if-none-match': tag });
    expect([status, text.includes('<main')]).toEqual([200, true]);
    expect(await tagOf()).not.toBe(tag);
  });

  test('is missing where nothing is refreshed: the page to sign in, and refusals', async () => {
    for (const path of ['/console/sign-in', '/console/uploads?state=wrong']) {
      const { headers, text } = await owner.get(path);
      expect([path, headers.get('etag'), text.includes('data-etag')]).toEqual([path, null, false]);
    }
  });
});

const [describeInBrowser, title] = inBrowser('a page that somebody looks at');

describeInBrowser(title, () => {
  let page: BrowserPage;
  beforeAll(async () => {
    page = await startBrowser();
    await page.look({ width: 1_280, scheme: 'light' });
    await page.open(`${world.api.url}/console/sign-in`);
    await page.evaluate(
      `document.querySelector('input[name=token]').value = ${JSON.stringify(world.owner.token)}`,
    );
    await page.follow('document.querySelector("form").requestSubmit()');
  });
  afterAll(() => page.close());

  /** It is time for the page to ask again, whose clock says that ten seconds have passed; its answers are counted. */
  const comesDue = () =>
    page.evaluate<unknown>(`(() => {
      const now = Date.now;
      Date.now = () => now() + 11_000;
    })()`);

  async function openUploads(): Promise<void> {
    await page.open(`${world.api.url}/console/uploads`);
    await page.evaluate(`(() => {
      window.answers = [];
      const ask = window.fetch;
      window.fetch = async (...given) => {
        const answer = await ask(...given);
        answers.push(answer.status);
        return answer;
      };
      document.querySelector('tbody tr').id = 'as-it-was';
    })()`);
  }

  const answersAre = (...statuses: number[]) =>
    page.waitFor(`window.answers.join() === ${JSON.stringify(statuses.join())}`);
  const isAsItWas = 'document.querySelector("#as-it-was") !== null';

  test('asks after ten seconds whether it has changed, and stays as it is if it has not', async () => {
    await openUploads();
    await comesDue();
    await answersAre(304);
    expect(await page.evaluate(isAsItWas)).toBe(true);
  });

  test('shows what has changed, without a jump of what is in view and with the focus where it was', async () => {
    for (let count = 0; count < 20; count += 1) {
      await world.rows.insert({ text: `menu ${count}` });
    }
    await openUploads();
    const link = `document.querySelector('a[href$="${world.failedId}"]')`;
    const top = `${link}.getBoundingClientRect().top`;
    await page.evaluate(`(${link}.scrollIntoView(), ${link}.focus({ preventScroll: true }))`);
    const before = await page.evaluate<number>(top);
    const uploadId = await world.rows.insert({ text: 'the newest menu' });
    await comesDue();
    await page.waitFor(`document.querySelector('a[href$="${uploadId}"]')`);
    expect(Math.abs((await page.evaluate<number>(top)) - before)).toBeLessThan(2);
    expect(await page.evaluate(`document.activeElement === ${link}`)).toBe(true);
  });

  test.each([
    ['types', `document.querySelector('main input').focus()`],
    ['has typed', `document.querySelector('main input').value = '1'`],
    ['has chosen', `document.querySelector('main select').selectedIndex = 2`],
    [
      'marks a text',
      `document.getSelection().selectAllChildren(document.querySelector('caption'))`,
    ],
    [
      'has opened something',
      `document.querySelector('main').insertAdjacentHTML('beforeend', '<details open>x</details>')`,
    ],
  ])('stays as it is while somebody %s', async (_what, use) => {
    await openUploads();
    await page.evaluate(use);
    await world.rows.insert({ text: 'a menu that is not shown yet' });
    await comesDue();
    await page.evaluate('new Promise((done) => { setTimeout(done, 1_100); })');
    expect(await page.evaluate(isAsItWas)).toBe(true);
  });

  test('says a time in the zone of the reader and how long ago it was, with its UTC', async () => {
    await page.inZone('Asia/Tokyo');
    await world.api.sql`
      update menu_upload set created_at = now() - interval '3 min', finished_at = '2026-01-02T20:04:05Z'
      where upload_id = ${world.failedId}`;
    await page.open(`${world.api.url}/console/uploads/${world.failedId}`);
    const times = await page.evaluate<string[][]>(
      `[...document.querySelectorAll('main time')].map((each) => [each.textContent, each.title])`,
    );
    expect(times[0]).toEqual([
      expect.stringMatching(/\d\d:\d\d, 3 minutes ago$/),
      expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/),
    ]);
    expect(times[1]).toEqual([
      expect.stringMatching(/^3 Jan.*05:04, \d+ (day|month|year)s? ago$/),
      '2026-01-02 20:04:05 UTC',
    ]);
    expect(await page.evaluate('document.querySelector("footer").textContent')).toMatch(
      /^Times are of your zone \(Asia\/Tokyo\)/,
    );
  });

  test('says that the service cannot be reached, and nothing any more as soon as it can', async () => {
    await openUploads();
    await page.evaluate(`(() => {
      const ask = window.fetch;
      window.fetch = () => Promise.reject(new Error('away'));
      window.back = () => { window.fetch = ask; };
    })()`);
    await comesDue();
    await page.waitFor(
      'document.querySelector("#notice").textContent.includes("cannot be reached")',
    );
    expect(await page.evaluate(isAsItWas)).toBe(true);
    await page.evaluate('back()');
    await comesDue();
    await page.waitFor('document.querySelector("#notice").textContent === ""');
  });

  test('stays, says that its session has ended, and leads back to itself after signing in', async () => {
    await openUploads();
    await world.api.sql`delete from console_session`;
    await comesDue();
    const link = 'document.querySelector("#notice a")';
    await page.waitFor(link);
    expect(await page.evaluate('document.querySelector("#notice").textContent')).toContain(
      'Your session has ended',
    );
    expect(await page.evaluate(`${link}.getAttribute('href')`)).toBe(
      '/console/sign-in?next=%2Fconsole%2Fuploads',
    );
    expect(await page.evaluate(isAsItWas)).toBe(true);
    expect(page.complaints).toEqual([]);
  });
});
