import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ownDirectory } from '../../dev/processes/directory-owner';
import { findFreePort } from '../../dev/processes/free-port';
import { resetState } from '../../dev/start/reset-state';
import { readStartOptions, readStartSettings } from '../../dev/start/start-settings';
import { APP_NAMES } from '../../src/delivery-apps/types';
import { playBlocks } from '../support/docs-commands';
import { blocksFor } from '../support/docs-ledger';

const ROOT = join(__dirname, '../..');

let directory: string;
let sandbox: ChildProcess | undefined;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'first-minutes-'));
  chmodSync(directory, 0o755); // as root, Postgres runs as a user who must get in
});
afterEach(() => {
  sandbox?.kill('SIGKILL');
  sandbox = undefined;
  rmSync(directory, { recursive: true, force: true });
});

interface Ended {
  readonly status: unknown;
  readonly said: string;
}

/** `npm start` with these arguments and variables, until it ends by itself. */
function start(args: readonly string[], env: Readonly<Record<string, string>>): Promise<Ended> {
  const own = { DATA_DIR: join(directory, 'data'), ...env };
  return runNode([join(ROOT, 'dev/start/start.ts'), ...args], own);
}

function runNode(
  words: readonly string[],
  given: Readonly<Record<string, string>>,
): Promise<Ended> {
  const command = ['--import', 'tsx', ...words];
  const own = { ...process.env, ...given };
  return new Promise((resolve) => {
    execFile(process.execPath, command, { cwd: ROOT, env: own }, (error, stdout, stderr) =>
      resolve({ status: error?.code ?? 0, said: (stdout + stderr).trim() }),
    );
  });
}

describe('npm start explains in one sentence why it cannot start, and changes nothing:', () => {
  let taken: Server;
  let port: number;
  let free: string;

  beforeAll(async () => {
    taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    port = (taken.address() as AddressInfo).port;
    free = String(await findFreePort());
  });
  afterAll(() => taken.close());

  test.each([
    ['a wrong setting', [], { ACK_WAIT: 'soon' }, () => /ACK_WAIT must be/],
    [
      'a port that is not for this user',
      [],
      {
        PORT: '80',
        NODE_OPTIONS: `--require ${join(ROOT, 'test/support/child-without-low-ports.cjs')}`,
      },
      () => /^this user may not open port 80; set PORT to another one, above 1023$/m,
    ],
    [
      'a port that is taken',
      ['--reset'],
      'PORT',
      () => new RegExp(`^port ${port} is taken.*; set PORT to`),
    ],
  ] as const)('%s', async (_what, args, given, sentence) => {
    const ports = { PORT: free, SANDBOX_PORT: free };
    const env = typeof given === 'string' ? { [given]: String(port) } : given;
    const { status, said } = await start(args, { ...ports, ...env });
    expect(said).toMatch(sentence());
    expect(status).toBe(1);
    expect(existsSync(join(directory, 'data'))).toBe(false);
  });

  test("Temporal's port that is taken, while Postgres is still starting: it ends", async () => {
    const ports = { PORT: free, SANDBOX_PORT: String(await findFreePort()) };
    const { status, said } = await start([], { ...ports, TEMPORAL_PORT: String(port) });
    expect(said).toMatch(new RegExp(`^port ${port} is taken.*; set TEMPORAL_PORT to`, 'm'));
    expect(status).toBe(1);
  });

  test('a database of a Postgres that this machine does not have', async () => {
    const cluster = join(directory, 'data/postgres/cluster');
    mkdirSync(cluster, { recursive: true });
    writeFileSync(join(cluster, 'PG_VERSION'), '9\n');
    const ports = { PORT: free, SANDBOX_PORT: String(await findFreePort()) };
    const { status, said } = await start([], { ...ports, TEMPORAL_ADDRESS: '127.0.0.1:1' });
    expect(said).toMatch(
      /no Postgres 9 \(which wrote the data\) found: install it, or set DATABASE_URL to a running server$/,
    );
    expect(status).toBe(1);
  });

  test('no Temporal, no Go and no network', async () => {
    const bin = join(directory, 'bin');
    mkdirSync(bin);
    symlinkSync(process.execPath, join(bin, 'node'));
    const DATABASE_URL = 'postgres://nobody@127.0.0.1:1/x';
    const ports = { PORT: free, SANDBOX_PORT: String(await findFreePort()), DATABASE_URL };
    const { status, said } = await start([], {
      ...ports,
      PATH: bin,
      XDG_CACHE_HOME: join(directory, 'cache'),
      TEMPORAL_CLI_PATH: '',
      NODE_OPTIONS: `--require ${join(ROOT, 'test/support/child-without-network.cjs')}`,
    });
    expect(said).toMatch(
      /^No Temporal server\. https:\/\/temporal\.download cannot be reached; Go is not installed, so it cannot be built either\. Install the Temporal CLI/m,
    );
    expect(status).toBe(1);
  });

  test('a second start, which would take the state of the first', async () => {
    const disown = await ownDirectory(join(directory, 'data/postgres'));
    const { said } = await start(['--reset'], { PORT: free, SANDBOX_PORT: free });
    expect(said).toContain(`is in use by process ${process.pid}; stop that one, or set DATA_DIR`);
    await disown();
  });

  test('a database that is away, without its password', async () => {
    const DATABASE_URL = 'postgres://somebody:geheim@127.0.0.1:1/x';
    const TEMPORAL_ADDRESS = '127.0.0.1:1';
    const ports = { PORT: free, SANDBOX_PORT: String(await findFreePort()) };
    const { said } = await start([], { ...ports, DATABASE_URL, TEMPORAL_ADDRESS });
    expect(said).toContain('Postgres cannot be reached at 127.0.0.1:1 (ECONNREFUSED)');
    expect(said).not.toContain('geheim');
  });
});

test('an option that does not exist, and a port that is none, are refused', () => {
  expect(() => readStartOptions(['--rest'])).toThrow("Unknown option '--rest'");
  expect(readStartOptions(['--reset'])).toEqual({ reset: true, help: false });
  expect(() => readStartSettings({ SANDBOX_PORT: '-1' })).toThrow('SANDBOX_PORT must be a port');
});

const readToken = (token: string) => readStartSettings({ DEMO_TOKEN: token }).demoToken;

test('a token that the API would not read is refused', () => {
  for (const token of ['demo@1', 'two words', 'a=b', 'x'.repeat(513)])
    expect(() => readToken(token)).toThrow('DEMO_TOKEN must be 1 to 512 letters, digits');
  for (const token of ['demo', 'a-token_of.the~demo+/==', 'x'.repeat(512)])
    expect(readToken(token)).toBe(token);
  expect(readToken('')).toBeUndefined();
});

describe('a reset', () => {
  test('removes only what a start has created', async () => {
    for (const part of ['postgres', 'temporal']) await mkdir(join(directory, part));
    for (const file of ['environment.json', 'secrets.json', 'notes.txt']) {
      writeFileSync(join(directory, file), '{}');
    }
    await resetState(directory);
    expect(readdirSync(directory)).toEqual(['notes.txt']);
    await expect(resetState(directory)).resolves.toBeUndefined();
  });

  test('is refused while a start runs there', async () => {
    const disown = await ownDirectory(join(directory, 'temporal'));
    writeFileSync(join(directory, 'secrets.json'), '{}');
    await expect(resetState(directory)).rejects.toThrow('is in use by process');
    expect(existsSync(join(directory, 'secrets.json'))).toBe(true);
    await disown();
  });
});

test.each([
  [['--port', '5000'], {}, /^Unknown option '--port'/],
  [[], { SANDBOX_PORT: 'many' }, /^SANDBOX_PORT must be a port$/],
] as const)(
  'npm run sandbox with %j and %j says what is wrong, and ends',
  async (args, env, words) => {
    const script = join(ROOT, 'dev/start/sandbox-alone.ts');
    const ended = await runNode([script, ...args], env);
    expect(ended.status).toBe(1);
    expect(ended.said).toMatch(words);
  },
);

test('npm run sandbox runs alone: its credentials work where it says so', async () => {
  const port = String(await findFreePort());
  const env = { ...process.env, SANDBOX_PORT: port };
  const script = join(ROOT, 'dev/start/sandbox-alone.ts');
  sandbox = spawn(process.execPath, ['--import', 'tsx', script], { cwd: ROOT, env });
  let said = '';
  for await (const chunk of sandbox.stdout ?? []) {
    said += String(chunk);
    if (said.includes('Ctrl-C stops it')) break;
  }
  const [, url = '', form = ''] = /curl (\S+\/oauth\/token) --data '([^']+)'/.exec(said) ?? [];
  const token = await fetch(url, { method: 'POST', body: form });
  expect(await token.json()).toMatchObject({ token_type: 'bearer' });
  const parts = (await (await fetch(`http://127.0.0.1:${port}/`)).json()) as {
    parts: { path: string }[];
  };
  expect(parts.parts.map(({ path }) => path)).toEqual([
    // Each app has its part in dev/demo/demo-sandbox.ts.
    ...APP_NAMES.map((name) => `/${name}`),
    '/receiver',
    '/pos',
    '/sender',
  ]);
  const secret = /whsec_\S+/.exec(said)?.[0] ?? '';
  await followReceiverPages(`http://127.0.0.1:${port}`, secret);
});

/** Starts the receiver that docs/receiver.md names, and follows the pages for receivers. */
async function followReceiverPages(origin: string, secret: string): Promise<void> {
  const [run, listen, curls, ...more] = blocksFor('sandbox', 'docs/receiver.md');
  expect([run?.commands, more]).toEqual(['npm run sandbox\n', []]);
  const command = listen?.commands.replace('whsec_…', secret).replace('PORT=8080', 'PORT=0');
  const receiver = spawn('sh', ['-c', `exec env ${command}`], { cwd: ROOT });
  try {
    const [greeting] = (await once(receiver.stdout, 'data')) as [Buffer];
    const port = /\d+/.exec(String(greeting))?.[0] ?? '';
    const replaced = {
      'http://127.0.0.1:4010': origin,
      'http://127.0.0.1:8080': `http://127.0.0.1:${port}`,
    };
    const blocks = [...(curls ? [curls] : []), ...blocksFor('sandbox', 'dev/sandbox/README.md')];
    const said = (await playBlocks(blocks, { replaced })).join('\n');
    const statuses = [...said.matchAll(/"verdict":\{"kind":"(\w+)","status":(\d+)/g)];
    expect(statuses.map(([, kind, status]) => `${kind} ${status}`)).toEqual([
      'acknowledged 204',
      'acknowledged 204',
      'retry 401',
      'delivered 204',
      'delivered 204',
      'acknowledged 204',
    ]);
  } finally {
    receiver.kill('SIGKILL');
  }
}
