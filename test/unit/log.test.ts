import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { findFreePort } from '../../dev/processes/free-port';
import { connect } from '../../src/platform/db/client';
import { createLog } from '../../src/platform/observe/log';

const LOG = join(__dirname, '..', '..', 'src', 'platform', 'observe', 'log.ts');

/** The output of a process that runs `code` with a log. */
function written(code: string): unknown[] {
  const program = `const { createLog } = require(${JSON.stringify(LOG)}); const log = createLog('info'); ${code}`;
  const { stdout } = spawnSync(process.execPath, ['--import', 'tsx', '-e', program], {
    encoding: 'utf8',
  });
  const lines = stdout.split('\n').filter((line) => line !== '');
  return lines.map((line) => (JSON.parse(line) as { msg: unknown }).msg);
}

test.each([
  ['runs out of work', ''],
  ['exits', 'process.exit(0);'],
  ['fails', "throw new Error('defect');"],
])('a process that %s has written all it logged, in order', (_, end) => {
  expect(written(`for (let n = 0; n < 1000; n += 1) log.info(String(n)); ${end}`)).toEqual(
    Array.from({ length: 1_000 }, (_unused, n) => String(n)),
  );
});

test('a line is out soon after it was logged, while the process goes on', () => {
  const lines = written(
    "log.info('early'); setTimeout(() => process.kill(process.pid, 'SIGKILL'), 3_000);",
  );
  expect(lines).toEqual(['early']);
});

test('a fatal line is out at once', () => {
  expect(
    written("log.info('one'); log.fatal('two'); process.kill(process.pid, 'SIGKILL');"),
  ).toEqual(['one', 'two']);
});

test('that Postgres cannot be reached is one sentence with its address, without a stack', async () => {
  const port = await findFreePort();
  const sql = connect(`postgres://127.0.0.1:${port}/none`, { max: 1 });
  const error: unknown = await sql`select 1`.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  await sql.end();
  const lines: string[] = [];
  createLog('info', { write: (line) => void lines.push(line) }).warn({ err: error }, 'not done');
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    {
      level: 40,
      time: expect.any(String),
      err: {
        type: 'PostgresAwayError',
        code: 'ECONNREFUSED',
        message: `Postgres cannot be reached (DATABASE_URL): connect ECONNREFUSED 127.0.0.1:${port}`,
      },
      msg: 'not done',
    },
  ]);
});

test('an error of another realm is logged with its message and its stack', () => {
  const lines: string[] = [];
  const far: unknown = runInNewContext("new TypeError('far away')");
  createLog('info', { write: (line) => void lines.push(line) }).warn({ err: far }, 'not done');
  expect(JSON.parse(lines[0] ?? '').err).toEqual({
    type: 'TypeError',
    message: 'far away',
    stack: expect.stringContaining('TypeError: far away'),
  });
});

test('secrets one level into a line are not written, and the logged objects stay as they are', () => {
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => void lines.push(line) });
  const store = { id: 7, token: 'planted-1', credential: { key: 'planted-2' } };
  const failed = Object.assign(new Error('refused'), { clientSecret: 'planted-3', code: 'E1' });
  log.warn({ headers: { authorization: 'planted-4' }, store, secret_name: 'kept' }, 'a');
  log.error({ err: failed, app: { secret: 'planted-5' } }, 'b');
  expect(lines.join('')).not.toContain('planted');
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({
      headers: { authorization: '[redacted]' },
      store: { id: 7, token: '[redacted]', credential: '[redacted]' },
      secret_name: 'kept',
    }),
    expect.objectContaining({
      err: expect.objectContaining({
        type: 'Error',
        message: 'refused',
        code: 'E1',
        clientSecret: '[redacted]',
        stack: expect.stringContaining('Error: refused'),
      }),
      app: { secret: '[redacted]' },
    }),
  ]);
  expect(store.token).toBe('planted-1');
});
