import { isPortFree } from '../../dev/processes/free-port';
import { APP_NAMES } from '../../src/delivery-apps/types';
import { type Demo, prepareDemo } from '../support/demo';
import { hasTerminal, startInPipe, startOnTerminal } from '../support/terminal';
import { until } from '../support/until';

const START = [process.execPath, '--import', 'tsx', 'dev/start/start.ts'];
const ADMIN = [process.execPath, '--import', 'tsx', 'dev/start/admin.ts'];
const LIST = [...ADMIN, 'integration', 'list'];
const RUNS = 'Ctrl-C stops everything';

let demo: Demo;
beforeAll(async () => {
  demo = await prepareDemo();
});
afterAll(() => demo.remove(), 60_000);

async function expectStopped(): Promise<void> {
  for (const port of demo.ports) await until(async () => await isPortFree(port));
}

test('before the first npm start, the admin command says what to do', async () => {
  const list = startInPipe(LIST, demo.env);
  expect(await list.ended).toBe(1);
  expect(list.err()).toMatch(
    /^npm start has not run yet with its state in .*: run it first, or set/,
  );
  expect(list.err().trim().split('\n')).toHaveLength(1);
});

test('in a pipe: plain lines, JSON, and a reader that goes away is no error', async () => {
  const start = startInPipe(START, demo.env);
  try {
    await start.said(RUNS);
    expect(start.out() + start.err()).not.toContain('\u001B');

    const list = startInPipe(LIST, demo.env);
    expect(await list.ended).toBe(0);
    const apps = (JSON.parse(list.out()) as { app: string }[]).map(({ app }) => app);
    expect(apps).toEqual(APP_NAMES);

    for (const command of [LIST, [...ADMIN, '--help']]) {
      const read = startInPipe(command, demo.env);
      read.closeOutput();
      expect([await read.ended, read.err()]).toEqual([0, '']);
    }
    // What Ctrl-C does to `npm start | tee log`: tee ends first.
    start.closeOutput();
  } finally {
    start.interrupt();
  }
  expect(await start.ended).toBe(0);
  expect(start.err()).not.toMatch(/EPIPE|at /);
  await expectStopped();
}, 120_000);

if (!hasTerminal) {
  test('NOT RUN: npm start and admin on a terminal, as there is no python3', () => {
    expect(hasTerminal).toBe(false);
  });
} else {
  test('on a terminal: one line of progress that goes away, tables, and Ctrl-C', async () => {
    const start = startOnTerminal(START, demo.env);
    try {
      await start.said(RUNS);
      const lines = start.out().split('\r\u001B[K');
      expect(lines).toContain('Starting Postgres');
      expect(lines.filter((line) => /^\r\n {2}API {10}http:/.test(line))).toHaveLength(1);
      expect(lines.at(-1)).toMatch(/^\r\nEverything runs, after \d+ s\. /);

      const list = startOnTerminal(LIST, demo.env);
      expect(await list.ended).toBe(0);
      const [head = '', ...rows] = list.out().trim().split('\r\n');
      expect(head).toMatch(/^integration_id +app +name +active +max_in_flight$/);
      expect(rows.map((row) => row.split(/\s+/)[1])).toEqual(APP_NAMES);
    } finally {
      start.press('\u0003');
    }
    expect(await start.ended).toBe(0);
    expect(start.out()).toMatch(/\r\nStopping …\r\n$/);
    await expectStopped();
  }, 120_000);

  test('the sandbox on a terminal prints its addresses, and Ctrl-C ends it', async () => {
    const command = [process.execPath, '--import', 'tsx', 'dev/start/sandbox-alone.ts'];
    const sandbox = startOnTerminal(command, demo.env);
    await sandbox.said('Ctrl-C stops it');
    expect(sandbox.out()).toContain(`${demo.sandboxUrl}/app-a … /app-d`);
    sandbox.press('\u0003');
    expect(await sandbox.ended).toBe(0);
    await expectStopped();
  });
}
