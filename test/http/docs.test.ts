import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createOpenApiDocument } from '../../src/openapi/document';
import { ROUTES } from '../../src/http/routes';
import { startTestApi, type TestApi, type TestCaller } from '../support/api';
import { type BrowserPage, findChromium, startBrowser } from '../support/browser';

const FOLDER = join(__dirname, '..', '..', 'src', 'http', 'docs-page');
const files = readdirSync(FOLDER);

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.stop());

test('the page may load from and talk to this server only', async () => {
  const response = await fetch(`${api.url}/docs`);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  const policy = response.headers.get('content-security-policy') ?? '';
  expect(policy.split('; ')).toContain("default-src 'self'");
  expect(policy).not.toMatch(/unsafe|https?:|\*/);
});

test.each(files)('%s names no other server and has no script in its markup', (name) => {
  const text = readFileSync(join(FOLDER, name), 'utf8').replaceAll(
    'http://www.w3.org/2000/svg',
    '',
  );
  expect(text).not.toMatch(/https?:\/\//);
  expect(text).not.toMatch(/innerHTML|insertAdjacentHTML|document\.write|eval\(/);
  expect(text).not.toMatch(/ (on\w+|style)="|<script>|<style>/);
});

test.each(files.filter((name) => name !== 'page.html'))(
  '%s is served, as what it is',
  async (name) => {
    const response = await fetch(`${api.url}/docs/${name}`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(
      /^(text\/javascript|text\/css|image\/svg\+xml)/,
    );
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(await response.text()).toBe(readFileSync(join(FOLDER, name), 'utf8'));
  },
);

test('nothing but the files of the page is served below it', async () => {
  for (const path of ['page.html', 'page.ts', '..%2fapp.ts', '%2e%2e/app.ts', 'constructor']) {
    const { status } = await fetch(`${api.url}/docs/${path}`);
    expect([path, status]).toEqual([path, 404]);
  }
});

const chromium = findChromium();

// Where there is no Chromium these are shown as skipped; `apt-get install chromium` is enough.
(chromium === undefined ? describe.skip : describe)('in a browser', () => {
  let page: BrowserPage;
  let caller: TestCaller;

  beforeAll(async () => {
    page = await startBrowser(chromium ?? '');
    caller = await api.user();
  });
  afterAll(() => page.close());

  const forms = 'document.querySelectorAll("form")';
  const answer = 'document.querySelector("#createStore .answer")';

  async function open(id = ''): Promise<void> {
    await page.open('about:blank');
    await page.open(`${api.url}/docs${id && `#${id}`}`);
    await page.waitFor('document.querySelector(".operation")');
    if (id) await page.waitFor(`document.querySelector("#${id} .inside")`);
  }

  test('the page shows every endpoint, each folds out, and the browser has nothing to complain of', async () => {
    await open();
    const shown = await page.evaluate<string[]>(
      '[...document.querySelectorAll(".operation")].map((each) => (each.open = true, each.id))',
    );
    const { paths } = createOpenApiDocument(ROUTES);
    const described = Object.values(paths).flatMap((methods) =>
      Object.values(methods).map((each) => (each as { operationId: string }).operationId),
    );
    expect(shown.toSorted()).toEqual(described.toSorted());
    await page.waitFor(`document.querySelectorAll(".inside").length === ${shown.length}`);
    // A field inside a field inside a menu is there when its part is folded out.
    await page.evaluate('document.querySelector("#uploadMenu .nested").open = true');
    await page.waitFor('document.querySelector("#uploadMenu .nested table")');
    expect(
      await page.evaluate('document.querySelector("#uploadMenu .nested").textContent'),
    ).toMatch(/category_external_ids/);
    expect(page.complaints).toEqual([]);
  });

  test('every field has a label', async () => {
    const unlabelled = await page.evaluate<string[]>(
      '[...document.querySelectorAll("input, select, textarea")].filter((each) => !each.labels.length).map((each) => each.id)',
    );
    expect(unlabelled).toEqual([]);
  });

  test('a token and an edited body are sent, and the answer is shown as text', async () => {
    await open('createStore');
    const name = '<img src=x onerror=document.title="broken">';
    const body = JSON.stringify({ name, country_code: 'MX' });
    await page.evaluate(`(() => {
      const set = (id, value) => {
        const field = document.getElementById(id);
        field.value = value;
        field.dispatchEvent(new Event('input'));
      };
      set('token', ${JSON.stringify(`Bearer ${caller.token} `)});
      set('createStore-body', ${JSON.stringify(body)});
      ${forms}[0].requestSubmit();
    })()`);
    await page.waitFor(`${answer}.querySelector(".status")`);
    const text = await page.evaluate<string>(`${answer}.textContent`);
    expect(text).toContain('201 Created');
    expect(text).toContain('Store successfully created.');
    expect(text).toContain('x-request-id');
    expect(text).toContain(JSON.stringify(name));
    expect(await page.evaluate(`${answer}.querySelectorAll("img").length`)).toBe(0);
  });

  test('the token stays in the tab: after a reload it is there, and nowhere but in its session', async () => {
    await open();
    expect(await page.evaluate<string>('document.getElementById("token").value')).toContain(
      caller.token,
    );
    expect(await page.evaluate('localStorage.length + document.cookie.length')).toBe(0);
    expect(await page.evaluate('document.documentElement.outerHTML')).not.toContain(caller.token);
  });

  test('without a mouse: Enter folds out what a link leads to, and Tab goes into it', async () => {
    await open('linkStore');
    const focused = (of: string) =>
      page.evaluate<boolean>(`document.activeElement.matches('${of}')`);
    expect(await focused('#linkStore > summary')).toBe(true);
    await page.press('Enter');
    expect(await page.evaluate('document.getElementById("linkStore").open')).toBe(false);
    await page.press('Enter');
    expect(await page.evaluate('document.getElementById("linkStore").open')).toBe(true);
    await page.press('Tab');
    expect(await focused('#linkStore .inside *')).toBe(true);
  });

  test('the search finds an endpoint by a sentence that it can answer', async () => {
    await open();
    await page.evaluate(`(() => {
      const search = document.getElementById('search');
      search.value = 'inventory system already exists';
      search.dispatchEvent(new Event('input'));
    })()`);
    const found = await page.evaluate(
      '[...document.querySelectorAll(".operation:not([hidden])")].map((each) => each.id)',
    );
    expect(found).toContain('createInventorySystem');
    expect(found).not.toContain('createStore');
  });
});
