import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createOpenApiDocument } from '../../src/openapi/document';
import { ROUTES } from '../../src/run/routes';
import { startTestApi, type TestApi, type TestCaller } from '../support/api';
import { type BrowserPage, inBrowser, startBrowser } from '../support/browser';

const FOLDER = join(__dirname, '..', '..', 'src', 'http', 'docs-page');
const SERVED = ['icon.svg', 'page.js', 'swagger-ui-bundle.js', 'swagger-ui.css'];

/** Swagger UI draws every endpoint at once, which takes a busy machine long. */
jest.setTimeout(120_000);

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.stop());

test('the address of the service leads to the page', async () => {
  const response = await fetch(`${api.url}/`, { redirect: 'manual' });
  expect([response.status, response.headers.get('location')]).toEqual([303, '/docs']);
  expect((await fetch(`${api.url}/?a=1`)).url).toBe(`${api.url}/docs`);
  expect((await fetch(`${api.url}/`, { method: 'POST' })).status).toBe(405);
});

test('the page may load from and talk to this server only', async () => {
  const response = await fetch(`${api.url}/docs`);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  const policy = response.headers.get('content-security-policy') ?? '';
  expect(policy.split('; ')).toContain("default-src 'self'");
  expect(policy).not.toMatch(/unsafe|https?:|\*/);
});

test.each(['page.html', 'page.js', 'icon.svg'])(
  '%s names no other server and has no script or style in its markup',
  (name) => {
    const text = readFileSync(join(FOLDER, name), 'utf8').replaceAll(
      'http://www.w3.org/2000/svg',
      '',
    );
    expect(text).not.toMatch(/https?:\/\//);
    expect(text).not.toMatch(/ (on\w+|style)="|<script>|<style>/);
  },
);

test.each(SERVED)('%s is served, as what it is', async (name) => {
  const response = await fetch(`${api.url}/docs/${name}`);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toMatch(
    /^(text\/javascript|text\/css|image\/svg\+xml)/,
  );
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(100);
});

test('nothing but the files of the page is served below it', async () => {
  for (const path of ['page.html', 'page.ts', '..%2fapp.ts', '%2e%2e/app.ts', 'constructor']) {
    const { status } = await fetch(`${api.url}/docs/${path}`);
    expect([path, status]).toEqual([path, 404]);
  }
});

const [describeInBrowser, title] = inBrowser('in a browser');

describeInBrowser(title, () => {
  let page: BrowserPage;
  let caller: TestCaller;

  beforeAll(async () => {
    page = await startBrowser();
    caller = await api.user();
  });
  afterAll(() => page.close());

  async function open(anchor = ''): Promise<void> {
    await page.open('about:blank');
    await page.open(`${api.url}/docs${anchor}`);
    await page.waitFor('document.querySelector(".opblock")');
  }

  test('the page shows every endpoint, folds one out by Enter, and the browser reports no errors', async () => {
    await open();
    const shown = await page.evaluate<string[]>(
      `[...document.querySelectorAll('.opblock')].map((each) =>
        each.querySelector('.opblock-summary-method').textContent.toLowerCase() + ' ' +
        each.querySelector('.opblock-summary-path').dataset.path)`,
    );
    const { paths, webhooks } = createOpenApiDocument(ROUTES);
    const described = Object.entries({ ...paths, ...webhooks }).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path}`),
    );
    expect(shown.toSorted()).toEqual(described.toSorted());
    const first = 'document.querySelector(".opblock")';
    await page.evaluate(`${first}.querySelector('.opblock-summary-control').focus()`);
    await page.press('Enter');
    await page.waitFor(`${first}.classList.contains('is-open')`);
    expect(page.complaints).toEqual([]);
  });

  test('a token and an edited body are sent, and the answer is shown as text', async () => {
    await open('#/Stores/createStore');
    await page.waitFor('document.querySelector("#operations-Stores-createStore .try-out button")');
    const name = '<img src=x onerror=document.title="broken">';
    const body = JSON.stringify({ name, country_code: 'MX' });
    await page.evaluate(`window.ui.preauthorizeApiKey('bearer', ${JSON.stringify(caller.token)})`);
    await page.evaluate('document.querySelector(".try-out button").click()');
    await page.waitFor('document.querySelector("textarea.body-param__text")');
    await page.evaluate(`(() => {
      const field = document.querySelector('textarea.body-param__text');
      Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value').set.call(field, ${JSON.stringify(body)});
      field.dispatchEvent(new Event('input', { bubbles: true }));
    })()`);
    await page.waitFor(
      `document.querySelector('textarea.body-param__text').value === ${JSON.stringify(body)}`,
    );
    await page.evaluate('document.querySelector("button.execute").click()');
    await page.waitFor('document.querySelector(".live-responses-table .highlight-code")');
    const text = await page.evaluate<string>(
      'document.querySelector(".live-responses-table").textContent',
    );
    expect(text).toContain('201');
    expect(text).toContain('Store successfully created.');
    expect(
      await page.evaluate('document.querySelectorAll(".live-responses-table img").length'),
    ).toBe(0);
    expect(page.complaints).toEqual([]);
  });

  test('the token is not stored: neither in a cookie nor in the browser’s storage', async () => {
    expect(
      await page.evaluate('localStorage.length + sessionStorage.length + document.cookie.length'),
    ).toBe(0);
    await open();
    expect(await page.evaluate('document.documentElement.outerHTML')).not.toContain(caller.token);
  });
});
