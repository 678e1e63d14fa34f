import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isPortFree } from '../../dev/processes/free-port';
import { findTemporalBinary } from '../../dev/temporal/temporal-binary';
import menu from '../../dev/demo/menu.json';
import { DEMO_TOKEN, type Demo, prepareDemo } from '../support/demo';
import { type Program, startInPipe } from '../support/terminal';
import { LONGEST_WAIT_MS, until } from '../support/until';

const START = [process.execPath, '--import', 'tsx', 'dev/start/start.ts'];

/** Webhooks do not wait for Temporal. */
const MOVEMENT = {
  external_id: 'margherita',
  current_stock: '18',
  quantity: '2',
  date: '2026-01-31T19:45:00Z',
  movement_type: 2,
};

let folder: string;
let demo: Demo;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'before-temporal-'));
  demo = await prepareDemo();
});
afterAll(async () => {
  await demo.remove();
  rmSync(folder, { recursive: true });
}, 60_000);

/** A Temporal whose server starts no sooner than there is the file `gate`, as one that must be built first. */
async function gatedTemporal(gate: string): Promise<string> {
  const real = await findTemporalBinary(() => {});
  const path = join(folder, 'temporal');
  const script = `#!/bin/sh
case "$*" in
  *--help* | *--version*) ;;
  *) while [ ! -e ${gate} ]; do sleep 0.1; done ;;
esac
exec ${real} "$@"
`;
  writeFileSync(path, script, { mode: 0o755 });
  return path;
}

test(
  'npm start answers before Temporal is there, and what came meanwhile arrives',
  async () => {
    const gate = join(folder, 'gate');
    const headers = { authorization: `Bearer ${DEMO_TOKEN}`, 'content-type': 'application/json' };
    const call = async (path: string, body?: unknown) => {
      const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
      const answer = await fetch(`${demo.apiUrl}${path}`, { ...init, headers });
      return { status: answer.status, text: await answer.text() };
    };
    const start = startInPipe(START, {
      ...demo.env,
      TEMPORAL_CLI_PATH: await gatedTemporal(gate),
    });
    try {
      await start.said('Still being prepared: Temporal');
      expect(start.out()).not.toContain('Everything runs');
      for (const path of ['/docs', '/console/sign-in', '/health/live']) {
        expect([path, (await call(path)).status]).toEqual([path, 200]);
      }
      expect((await fetch(`${demo.sandboxUrl}/app-b/_sandbox/menus`)).status).toBe(200);
      expect((await call('/api/v1/menus/preview', menu)).status).toBe(200);
      expect((await call('/api/v1/pos/store/2/inventory/stock', MOVEMENT)).status).toBe(200);
      const accepted = await call('/api/v1/menus/upload', menu);
      expect(accepted.status).toBe(202);
      const { upload_id: uploadId } = JSON.parse(accepted.text).data;
      const state = async () => {
        const { text } = await call(`/api/v1/menus/uploads/${uploadId}`);
        return JSON.parse(text).data.state as string;
      };
      expect(await state()).toBe('queued');

      writeFileSync(gate, '');
      await start.said('Everything runs');
      await until(async () => (await state()) === 'uploaded');
      // What is known is not logged.
      expect(start.out() + start.err()).not.toContain('not reachable');
    } finally {
      start.interrupt();
    }
    expect(await start.ended).toBe(0);
  },
  LONGEST_WAIT_MS * 3,
);

test(
  'Ctrl-C ends all of it while things are still being prepared, without a word about what was',
  async () => {
    const env = { ...demo.env, TEMPORAL_CLI_PATH: await gatedTemporal(join(folder, 'never')) };
    const moments = [
      (start: Program) => until(() => start.err().includes('Starting Postgres')),
      async (start: Program) => {
        await until(() => start.err().includes('Starting Postgres'));
        await sleep(1_500);
      },
      (start: Program) => start.said('Still being prepared: Temporal'),
    ];
    for (const moment of moments) {
      const start = startInPipe(START, env);
      await moment(start);
      start.interrupt();
      const status = await start.ended;
      expect(start.err()).not.toMatch(/"level"|ECONN|Error|cannot go on/);
      // Whatever it said instead.
      expect({ status, said: status === 0 ? '' : start.err() }).toEqual({ status: 0, said: '' });
      for (const port of demo.ports) await until(async () => await isPortFree(port));
    }
  },
  LONGEST_WAIT_MS * 3,
);
