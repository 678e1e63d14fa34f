import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { DirectoryInUseError } from '../../dev/processes/directory-owner';
import { findFreePort } from '../../dev/processes/free-port';
import { identifyProcess } from '../../dev/processes/process-identity';
import { findTemporalBinary } from '../../dev/temporal/temporal-binary';
import { devServerArgs } from '../../dev/temporal/temporal-flags';
import { type RunningTemporal, startTemporal } from '../../dev/temporal/temporal-server';
import { until } from '../support/until';

let binary: string;
let directory: string;
let port: number;
let running: RunningTemporal | undefined;
let program: ChildProcess | undefined;

beforeAll(async () => {
  binary = await findTemporalBinary(() => {});
});
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'temporal-server-'));
  port = await findFreePort();
});
afterEach(async () => {
  program?.kill('SIGKILL');
  await running?.stop();
  running = undefined;
  await rm(directory, { recursive: true, force: true });
});

async function start(): Promise<RunningTemporal> {
  running = await startTemporal({ binary, directory, port, uiPort: null });
  return running;
}

async function withClient<T>(address: string, use: (client: Client) => Promise<T>): Promise<T> {
  const connection = await Connection.connect({ address });
  try {
    return await use(new Client({ connection }));
  } finally {
    await connection.close();
  }
}

test('a workflow and its search attributes survive a stop', async () => {
  const first = await start();
  await withClient(first.address, (client) =>
    client.workflow.start('nobodyRunsThis', {
      workflowId: 'kept',
      taskQueue: 'nobody',
      searchAttributes: { StoreId: ['7'] },
    }),
  );
  await first.stop();
  const second = await start();
  const description = await withClient(second.address, (client) =>
    client.workflow.getHandle('kept').describe(),
  );
  expect(description.status.name).toBe('RUNNING');
  expect(description.searchAttributes).toMatchObject({ StoreId: ['7'] });
});

test('who started a server is told with its last words when it ends by itself, and not when it is stopped', async () => {
  const lost: string[] = [];
  const onLost = (words: string) => void lost.push(words);
  running = await startTemporal({ binary, directory, port, uiPort: null, onLost });
  await running.stop();
  expect(lost).toEqual([]);
  running = await startTemporal({ binary, directory, port, uiPort: null, onLost });
  process.kill(running.pid, 'SIGKILL');
  await until(() => lost.length > 0);
  expect(lost).toEqual([expect.stringMatching(/^Temporal ended by itself \(SIGKILL\):\n/)]);
});

/** The server, except that a further port of its own is taken at its first starts. */
async function unlucky(times: number): Promise<{ binary: string; starts: () => Promise<number> }> {
  const [script, count] = [join(directory, 'temporal'), join(directory, 'starts')];
  await writeFile(
    script,
    `#!/bin/sh
case "$*" in *--help*) exec "${binary}" "$@";; esac
echo >> "${count}"
if [ "$(wc -l < "${count}")" -le ${times} ]; then
  echo "error: listen tcp 127.0.0.1:39999: bind: address already in use" >&2
  exit 1
fi
exec "${binary}" "$@"
`,
    { mode: 0o755 },
  );
  return { binary: script, starts: async () => (await readFile(count, 'utf8')).length };
}

test('a server that lost the race for a port of its own is started again, three times at most', async () => {
  const unluckyOnce = await unlucky(1);
  running = await startTemporal({
    binary: unluckyOnce.binary,
    directory: null,
    port,
    uiPort: null,
  });
  expect(await unluckyOnce.starts()).toBe(2);
  await running.stop();
  await rm(join(directory, 'starts'));
  const neverLucky = await unlucky(9);
  const failing = startTemporal({ binary: neverLucky.binary, directory: null, port, uiPort: null });
  await expect(failing).rejects.toThrow('bind: address already in use');
  expect(await neverLucky.starts()).toBe(3);
});

test('a server left running by a killed process is stopped and its port taken over', async () => {
  const file = join(__dirname, '../support/child-temporal-server.ts');
  program = spawn(process.execPath, ['--import', 'tsx', file, directory, String(port)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (!program.stdout) throw new Error('no output to read');
  const orphan = Number(String((await once(program.stdout, 'data'))[0]));
  program.kill('SIGKILL');
  await once(program, 'exit');
  expect(identifyProcess(orphan)).toBeDefined();

  const temporal = await start();
  expect(identifyProcess(orphan)).toBeUndefined();
  expect(temporal.address).toBe(`127.0.0.1:${port}`);
});

test('a second start in the same directory is refused', async () => {
  await start();
  const second = startTemporal({ binary, directory, port: port + 1, uiPort: null });
  await expect(second).rejects.toThrow(DirectoryInUseError);
});

test('a port in use is named together with its variable', async () => {
  const stranger = createServer().listen(port, '127.0.0.1');
  await once(stranger, 'listening');
  const free = await findFreePort();
  const options = { binary, directory, port: free, uiPort: port };
  await expect(startTemporal(options)).rejects.toThrow(
    `port ${port} is taken by another program; set TEMPORAL_UI_PORT to a free one`,
  );
  await expect(startTemporal({ ...options, port, uiPort: null })).rejects.toThrow(
    'set TEMPORAL_PORT',
  );
  await new Promise((resolve) => stranger.close(resolve));
});

test('the server understands each of its flags, and an older one starts without the optional ones', () => {
  const setting = { databaseFile: 'x.db', port: 1, uiPort: 2 };
  const { stdout: help } = spawnSync(binary, ['server', 'start-dev', '--help'], {
    encoding: 'utf8',
  });
  const flags = devServerArgs(setting, help).filter((arg) => arg.startsWith('--'));
  for (const flag of flags) expect(help).toContain(flag);
  expect(devServerArgs(setting, 'an old one')).not.toContain('--ui-disable-news-fetch');
});
