import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '../../dev/processes/free-port';
import { type ConsumerBench, createConsumerBench } from '../support/consumer-bench';
import { until } from '../support/until';

/* Receivers as people write them, with the servers that people use: each answers 204 in its own way. */

const SOURCES = join(__dirname, 'frameworks');
/** Installing a framework from its registry, ms. */
const INSTALLING_MS = 400_000;

type Command = readonly [program: string, ...args: string[]];

interface Framework {
  readonly name: string;
  /** Prints the version of the tool; where it fails, the framework is not tried. */
  readonly probe: Command;
  /** Run one after another in `folder`. */
  readonly install: (folder: string) => readonly Command[];
  readonly start: (folder: string, port: number) => Command;
}

/** Into a folder of its own: the machine's own packages stay as they are. */
const pip =
  (...packages: readonly string[]) =>
  (folder: string): readonly Command[] => [
    ['python3', '-m', 'pip', 'install', '--quiet', `--target=${join(folder, 'py')}`, ...packages],
  ];

const FRAMEWORKS: readonly Framework[] = [
  {
    name: 'Django on gunicorn',
    probe: ['python3', '-m', 'pip', '--version'],
    install: pip('django==5.2.*', 'gunicorn==23.0.0'),
    start: (_folder, port) => [
      'python3',
      '-m',
      'gunicorn',
      `--chdir=${SOURCES}`,
      `--bind=127.0.0.1:${port}`,
      'django_receiver:application',
    ],
  },
  {
    name: 'Flask',
    probe: ['python3', '-m', 'pip', '--version'],
    install: pip('flask==3.*'),
    start: () => ['python3', join(SOURCES, 'flask_receiver.py')],
  },
  {
    name: 'FastAPI on uvicorn',
    probe: ['python3', '-m', 'pip', '--version'],
    install: pip('fastapi', 'uvicorn'),
    start: (_folder, port) => [
      'python3',
      '-m',
      'uvicorn',
      `--app-dir=${SOURCES}`,
      `--port=${port}`,
      'fastapi_receiver:app',
    ],
  },
  {
    name: 'Express',
    probe: ['npm', '--version'],
    install: (folder) => [
      ['npm', 'install', '--silent', '--no-audit', '--no-fund', '--prefix', folder, 'express@5'],
      // A module looks for its packages beside itself.
      ['cp', join(SOURCES, 'express-receiver.mjs'), folder],
    ],
    start: (folder) => [process.execPath, join(folder, 'express-receiver.mjs')],
  },
  {
    name: 'WEBrick',
    probe: ['ruby', '--version'],
    // It left Ruby's own library with 3.0; Debian has it beside Ruby.
    install: (folder) => [
      [
        'sh',
        '-c',
        `ruby -rwebrick -e 0 || GEM_HOME=${join(folder, 'gems')} gem install --silent --no-document webrick`,
      ],
    ],
    start: () => ['ruby', join(SOURCES, 'webrick_receiver.rb')],
  },
  {
    name: 'PHP',
    probe: ['php', '--version'],
    install: () => [],
    start: (_folder, port) => ['php', '-S', `127.0.0.1:${port}`, join(SOURCES, 'php-receiver.php')],
  },
  {
    name: 'Go',
    probe: ['go', 'version'],
    install: (folder) => [
      ['go', 'build', '-o', join(folder, 'receiver'), join(SOURCES, 'go_receiver.go')],
    ],
    start: (folder) => [join(folder, 'receiver')],
  },
];

let bench: ConsumerBench;
let root: string;
const started = new Set<ChildProcess>();
beforeAll(async () => {
  bench = await createConsumerBench();
  root = mkdtempSync(join(tmpdir(), 'pos-integrations-frameworks-'));
});
afterAll(async () => {
  for (const child of started) child.kill('SIGKILL');
  await bench.close();
  rmSync(root, { recursive: true, force: true });
});

function run([program, ...args]: Command, cwd?: string): boolean {
  const ended = spawnSync(program, args, { cwd, encoding: 'utf8', timeout: INSTALLING_MS });
  if (cwd !== undefined && ended.status !== 0) {
    throw new Error(`${program} ${args.join(' ')}: ${ended.stderr || String(ended.error)}`);
  }
  return ended.status === 0;
}

/** Its output, once something listens on the port. */
async function start(
  [program, ...args]: Command,
  folder: string,
  port: number,
  secret: string,
): Promise<{ readonly output: () => string; readonly stop: () => Promise<void> }> {
  const seen = join(folder, 'seen');
  mkdirSync(seen);
  const child = spawn(program, args, {
    env: {
      PATH: process.env['PATH'],
      HOME: folder,
      GEM_HOME: join(folder, 'gems'),
      PYTHONPATH: join(folder, 'py'),
      PYTHONDONTWRITEBYTECODE: '1',
      WEBHOOK_SECRET: secret,
      PORT: String(port),
      SEEN: seen,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  started.add(child);
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
  await until(() => listens(port), 60_000);
  return {
    output: () => text,
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
      started.delete(child);
    },
  };
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}

const urlOf = (port: number) => `http://127.0.0.1:${port}/hooks`;

for (const { name, probe, install, start: command } of FRAMEWORKS) {
  if (!run(probe)) {
    test(`NOT RUN: ${name} as a receiver, as ${probe[0]} is missing`, () => {
      expect(run(probe)).toBe(false);
    });
    continue;
  }
  test(
    `what ${name} acknowledges by its 204 is acknowledged once, and its 401 loses nothing`,
    async () => {
      const folder = mkdtempSync(join(root, 'receiver-'));
      for (const each of install(folder)) run(each, folder);
      const { rows } = bench;
      for (const type of [1, 2] as const) {
        // A new one each time: the workers of one that was killed listen for a moment longer.
        const port = await findFreePort();
        const subscription = await rows.subscribe({ url: urlOf(port), type });
        const receiver = await start(command(folder, port), folder, port, subscription.secret);
        const ids = await rows.put(subscription, 5);
        // Some load their program with the first request.
        await bench.sendAll(subscription, { retryTable: [100, 100], timeoutMs: 15_000 });
        for (const id of ids) {
          expect(await rows.delivery(id)).toMatchObject({ receiverStatus: 204, attemptsMade: 1 });
          const messageId = id.replace('dlv_', 'msg_');
          expect(receiver.output().split(`applied ${messageId}`)).toHaveLength(2);
        }
        await receiver.stop();
        rmSync(join(folder, 'seen'), { recursive: true });
      }
      const port = await findFreePort();
      const mistyped = await rows.subscribe({ url: urlOf(port) });
      const receiver = await start(command(folder, port), folder, port, 'whsec_AAAA');
      const [id] = await rows.put(mistyped);
      const worker = await bench.startWorker({ retryTable: [600_000] });
      await until(async () => (await rows.attempts(id as never)).length === 1);
      await worker.leave();
      expect(await rows.delivery(id as never)).toMatchObject({
        state: 'pending',
        receiverStatus: 401,
      });
      await receiver.stop();
    },
    INSTALLING_MS * 2,
  );
}
