import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ownDirectory } from '../../dev/processes/directory-owner';
import { identifyProcess, identifyWithoutProc } from '../../dev/processes/process-identity';

/** The id of a process that has ended. */
const ended = () => spawnSync(process.execPath, ['-e', '']).pid;
const path = process.env['PATH'];
afterEach(() => {
  process.env['PATH'] = path;
});

test('a process is known by its command and its start, one that has ended not at all', () => {
  expect(identifyProcess(process.pid)?.startedAt).not.toBe('');
  expect(identifyProcess(ended())).toBeUndefined();
});

test('without /proc and without ps, a process is known by its id alone', () => {
  process.env['PATH'] = '';
  expect(identifyWithoutProc(process.pid)).toEqual({ command: '', startedAt: '' });
  expect(identifyWithoutProc(ended())).toBeUndefined();
});

test('a note without a start time, of a process that has ended, keeps nobody out', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'owner-'));
  writeFileSync(join(directory, 'owner.json'), JSON.stringify({ pid: ended() }));
  const disown = await ownDirectory(directory);
  await expect(ownDirectory(directory)).rejects.toThrow(`is in use by process ${process.pid}`);
  await disown();
  rmSync(directory, { recursive: true });
});
