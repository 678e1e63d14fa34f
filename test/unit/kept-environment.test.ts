import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { completeEnvironment, keepEnvironment } from '../../dev/start/environment';

const directory = mkdtempSync(join(tmpdir(), 'kept-environment-'));
afterAll(() => rmSync(directory, { recursive: true }));

const KEPT = { DATABASE_URL: 'postgres://kept', ENCRYPTION_KEY: 'kept', LOG_LEVEL: 'info' };
beforeAll(() => keepEnvironment(directory, KEPT));

test('what is kept completes the variables of the process, of which an empty one counts as absent', async () => {
  const given = { DATA_DIR: directory, LOG_LEVEL: 'debug' };
  const empty = { ...given, DATABASE_URL: '', ENCRYPTION_KEY: '' };
  for (const env of [given, empty]) {
    expect(await completeEnvironment(env)).toEqual({ ...KEPT, ...given });
  }
});

test('with a database of one’s own nothing is completed', async () => {
  const own = { DATA_DIR: directory, DATABASE_URL: 'postgres://own', ENCRYPTION_KEY: '' };
  expect(await completeEnvironment(own)).toEqual(own);
});
