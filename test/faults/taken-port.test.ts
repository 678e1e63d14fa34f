import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { prepareSystem, stopSystems } from '../support/system';

const API = join(__dirname, '../../src/bin/api.ts');

afterEach(stopSystems);

/** The API as a process of its own, until it ends by itself; what it logged. */
function runApi(env: Readonly<Record<string, string>>) {
  return new Promise<{ status: unknown; lines: Record<string, unknown>[] }>((resolve) => {
    const own = { ...process.env, ...env };
    execFile(process.execPath, ['--import', 'tsx', API], { env: own }, (error, stdout) => {
      const texts = stdout.split('\n').filter((line) => line !== '');
      resolve({ status: error?.code ?? 0, lines: texts.map((text) => JSON.parse(text)) });
    });
  });
}

test.each(['PORT', 'METRICS_PORT'])(
  'an API whose %s is taken ends, and says in one sentence which port and which setting',
  async (variable) => {
    const { env } = await prepareSystem();
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const ports = { [variable]: String(port) };
    const { status, lines } = await runApi({ ...env, LOG_LEVEL: 'info', ...ports });
    taken.close();
    expect(status).toBe(1);
    expect(lines.at(-1)).toMatchObject({
      level: 60,
      msg: `port ${port} is taken by another program; set ${variable} to a free one`,
    });
  },
);

test.each(['PORT', 'METRICS_PORT'])(
  'an API that may not open its %s says that, and not that it is taken',
  async (variable) => {
    const { env } = await prepareSystem();
    const NODE_OPTIONS = `--require ${join(__dirname, '../support/child-without-low-ports.cjs')}`;
    const ports = { [variable]: '81', NODE_OPTIONS };
    const { status, lines } = await runApi({ ...env, LOG_LEVEL: 'info', ...ports });
    expect(status).toBe(1);
    expect(lines.at(-1)).toMatchObject({
      level: 60,
      msg: `this user may not open port 81; set ${variable} to another one, above 1023`,
    });
  },
);
