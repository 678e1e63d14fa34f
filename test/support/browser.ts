import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { WebSocket } from 'undici';
import { LONGEST_WAIT_MS } from './until';

/** A page in a real browser, spoken to by the Chrome DevTools Protocol: no package, and nothing to download. */
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
  const chromium = findChromium() ?? '';
  const profile = await mkdtemp(join(tmpdir(), 'browser-'));
  const child = spawn(
    chromium,
    [
      '--headless',
      '--remote-debugging-port=0',
      `--user-data-dir=${profile}`,
      '--disable-gpu',
      '--disable-dev-shm-usage',
      '--no-first-run',
      // Its own sandbox does not work for root, which is what containers run tests as.
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      'about:blank',
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const ended = once(child, 'close');
  const stop = async (): Promise<void> => {
    child.kill();
    await ended;
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const protocol = await connectTo(await debuggerUrl(child.stderr));
    return await attach(protocol, stop);
  } catch (error) {
    await stop();
    throw error;
  }
}

async function debuggerUrl(stderr: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: stderr })) {
    const url = /DevTools listening on (ws:\S+)/.exec(line)?.[1];
    if (url) {
      stderr.resume();
      return url;
    }
  }
  throw new Error('the browser ended before it could be spoken to');
}

type Values = Record<string, unknown>;

interface Protocol {
  send<T = Values>(method: string, params?: Values, sessionId?: string): Promise<T>;
  onEvent(listener: (method: string, params: Values) => void): void;
  close(): void;
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Values;
  readonly result?: Values;
  readonly error?: { readonly message: string };
}

async function connectTo(url: string): Promise<Protocol> {
  const socket = new WebSocket(url);
  const waiting = new Map<number, (message: Message) => void>();
  const listeners: ((method: string, params: Values) => void)[] = [];
  let id = 0;
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data)) as Message;
    if (message.id !== undefined) waiting.get(message.id)?.(message);
    else for (const each of listeners) each(message.method ?? '', message.params ?? {});
  });
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve);
    socket.addEventListener('error', reject);
  });
  return {
    send: <T>(method: string, params: Values = {}, sessionId?: string) =>
      new Promise<T>((resolve, reject) => {
        id += 1;
        waiting.set(id, ({ result, error }) =>
          error ? reject(new Error(`${method}: ${error.message}`)) : resolve(result as T),
        );
        socket.send(JSON.stringify({ id, method, params, sessionId }));
      }),
    onEvent: (listener) => listeners.push(listener),
    close: () => socket.close(),
  };
}

async function attach(protocol: Protocol, stop: () => Promise<void>): Promise<BrowserPage> {
  const { targetId } = await protocol.send<{ targetId: string }>('Target.createTarget', {
    url: 'about:blank',
  });
  const { sessionId } = await protocol.send<{ sessionId: string }>('Target.attachToTarget', {
    targetId,
    flatten: true,
  });
  const send = <T>(method: string, params?: Values): Promise<T> =>
    protocol.send<T>(method, params, sessionId);
  const complaints: string[] = [];
  let onLoad: (() => void) | undefined;
  protocol.onEvent((method, params) => {
    if (method === 'Page.loadEventFired') onLoad?.();
    if (method === 'Runtime.exceptionThrown') complaints.push(JSON.stringify(params));
    const { entry } = params as { entry?: { level: string; text: string } };
    if (method === 'Log.entryAdded' && entry?.level === 'error') complaints.push(entry.text);
  });
  for (const domain of ['Page', 'Runtime', 'Log']) await send(`${domain}.enable`);

  const page: BrowserPage = {
    complaints,
    async open(url) {
      const loaded = new Promise<void>((resolve) => (onLoad = resolve));
      await send('Page.navigate', { url });
      await loaded;
    },
    async follow(expression) {
      const loaded = new Promise<void>((resolve) => (onLoad = resolve));
      // Later, as the page that this is evaluated on goes away.
      await page.evaluate(`setTimeout(() => { ${expression}; }, 0)`);
      await loaded;
    },
    async evaluate<T>(expression: string) {
      const { result, exceptionDetails } = await send<{
        result: { value: T };
        exceptionDetails?: unknown;
      }>('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true });
      if (exceptionDetails) throw new Error(JSON.stringify(exceptionDetails));
      return result.value;
    },
    async look({ width, scheme }) {
      const screen = { width, height: 900, deviceScaleFactor: 1, mobile: false };
      await send('Emulation.setDeviceMetricsOverride', screen);
      const features = [{ name: 'prefers-color-scheme', value: scheme }];
      await send('Emulation.setEmulatedMedia', { features });
    },
    async readOut() {
      const { nodes } = await send<{
        nodes: { ignored: boolean; role?: { value: string } }[];
      }>('Accessibility.getFullAXTree');
      return nodes.flatMap(({ ignored, role }) => (ignored || !role ? [] : [role.value]));
    },
    async screenshot() {
      const size = await page.evaluate<{ width: number; height: number }>(
        '({ width: innerWidth, height: document.documentElement.scrollHeight })',
      );
      const { data } = await send<{ data: string }>('Page.captureScreenshot', {
        format: 'png',
        captureBeyondViewport: true,
        clip: { x: 0, y: 0, ...size, scale: 1 },
      });
      return Buffer.from(data, 'base64');
    },
    async waitFor(expression) {
      await page.evaluate(`new Promise((resolve, reject) => {
        const until = Date.now() + ${LONGEST_WAIT_MS};
        const look = () => {
          if (${expression}) resolve();
          else if (Date.now() > until) reject(new Error('not in time: ' + ${JSON.stringify(expression)}));
          else setTimeout(look, 20);
        };
        look();
      })`);
    },
    async press(key) {
      const code = key === 'Tab' ? 9 : 13;
      const text = key === 'Enter' ? '\r' : undefined;
      const event = { key, code: key, windowsVirtualKeyCode: code, text };
      await send('Input.dispatchKeyEvent', { type: text ? 'keyDown' : 'rawKeyDown', ...event });
      await send('Input.dispatchKeyEvent', { type: 'keyUp', ...event });
    },
    async pressAndFollow(key) {
      const loaded = new Promise<void>((resolve) => (onLoad = resolve));
      await page.press(key);
      await loaded;
    },
    async type(text) {
      await send('Input.insertText', { text });
    },
    async close() {
      protocol.close();
      await stop();
    },
  };
  return page;
}
