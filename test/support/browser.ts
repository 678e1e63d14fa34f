import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from 'playwright-core';
import { LONGEST_WAIT_MS, until } from './until';

/** A page in a real browser. */
export interface BrowserPage {
  /** Loads an address; resolves when everything on it is there. */
  open(url: string): Promise<void>;
  /** Does something that loads another page; resolves when everything on that one is there. */
  follow(expression: string): Promise<void>;
  /** The value of an expression in the page; promises are waited for. */
  evaluate<T>(expression: string): Promise<T>;
  /** The same until it is truthy; rejects after `LONGEST_WAIT_MS`. */
  waitFor(expression: string): Promise<void>;
  /** Presses one key, such as `Tab` or `Enter`. */
  press(key: 'Tab' | 'Enter'): Promise<void>;
  /** Presses one key that loads another page; resolves when everything on that one is there. */
  pressAndFollow(key: 'Enter'): Promise<void>;
  /** Writes into what has the focus. */
  type(text: string): Promise<void>;
  /** Shows the page in a window of this width, px, in light or dark. */
  look(as: { readonly width: number; readonly scheme: 'light' | 'dark' }): Promise<void>;
  /** Loads later pages as for a reader in this time zone. */
  inZone(zone: string): Promise<void>;
  /** The roles of what is read out of the page, in order. */
  readOut(): Promise<string[]>;
  /** The whole page as PNG. */
  screenshot(): Promise<Buffer>;
  /** The browser's errors, including refusals by the content security policy. */
  readonly complaints: readonly string[];
  close(): Promise<void>;
}

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** The first Chromium on PATH, or the one named by CHROMIUM_PATH; undefined if there is none. */
function findChromium(): string | undefined {
  const given = process.env['CHROMIUM_PATH'];
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const found = folders.flatMap((folder) => NAMES.map((name) => join(folder, name)));
  return [...(given ? [given] : []), ...found].find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** How to describe tests in a browser, and their title: without Chromium they are skipped, and the title says so. */
export function inBrowser(title: string): readonly [jest.Describe, string] {
  if (findChromium() !== undefined) return [describe, title];
  return [describe.skip, `${title} (skipped: there is no Chromium; \`apt-get install chromium\`)`];
}

/** Starts a browser with nothing in it. */
export async function startBrowser(): Promise<BrowserPage> {
  const browser = await chromium.launch({
    executablePath: findChromium() ?? '',
    // Chromium's sandbox does not work for root, which is what containers run tests as.
    chromiumSandbox: process.getuid?.() !== 0,
    timeout: LONGEST_WAIT_MS,
  });
  const page = await browser.newPage();
  page.setDefaultTimeout(LONGEST_WAIT_MS);
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (said) => {
    if (said.type() === 'error') complaints.push(said.text());
  });
  const protocol = await page.context().newCDPSession(page);
  return {
    complaints,
    async open(url) {
      await page.goto(url);
    },
    async follow(expression) {
      // Later, as the page that this is evaluated on goes away.
      const leave = `setTimeout(() => { ${expression}; }, 0)`;
      await Promise.all([page.waitForEvent('load'), page.evaluate(leave)]);
    },
    evaluate: <T>(expression: string) => page.evaluate<T>(expression),
    async waitFor(expression) {
      // Not `waitForFunction`, whose `eval` our content security policy refuses.
      await until(() => page.evaluate<boolean>(`Boolean(${expression})`));
    },
    press: (key) => page.keyboard.press(key),
    async pressAndFollow(key) {
      await Promise.all([page.waitForEvent('load'), page.keyboard.press(key)]);
    },
    type: (text) => page.keyboard.insertText(text),
    async look({ width, scheme }) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme: scheme });
    },
    async inZone(zone) {
      await protocol.send('Emulation.setTimezoneOverride', { timezoneId: zone });
    },
    async readOut() {
      const { nodes } = await protocol.send('Accessibility.getFullAXTree');
      return nodes.flatMap(({ ignored, role }) => (ignored || !role ? [] : [String(role.value)]));
    },
    screenshot: () => page.screenshot({ fullPage: true }),
    close: () => browser.close(),
  };
}
