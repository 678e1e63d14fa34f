import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../support/documents';

const PASSED = { status: 'passed', title: 'it works', fullName: 'it works' };
const WITHOUT_TOOL = {
  status: 'passed',
  title: 'NOT RUN: the receiver in Ruby, as ruby is missing',
  fullName: 'NOT RUN: the receiver in Ruby, as ruby is missing',
};
const SKIPPED = { status: 'pending', title: 'in a browser', fullName: 'pages in a browser' };

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'report-'));
});
afterAll(() => rmSync(directory, { recursive: true }));

/** What `.ci/run` prints at its end, after these tests. */
function report(results: readonly (typeof PASSED)[], canInstall: string) {
  const file = join(directory, 'jest.json');
  const passed = results.filter(({ status }) => status === 'passed').length;
  writeFileSync(
    file,
    JSON.stringify({
      numPassedTests: passed,
      numFailedTests: 0,
      testResults: [{ name: 'some.test.ts', assertionResults: results }],
    }),
  );
  const program = join(ROOT, 'dev/checks/report-tests.mjs');
  const args = [program, file, '0', canInstall];
  const { status, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  return { status, lines: stdout.trim().split('\n') };
}

test('a test that passed without its tool is named with its reason, before the counts', () => {
  expect(report([PASSED, WITHOUT_TOOL], '')).toEqual({
    status: 0,
    lines: ['Not run:', '  the receiver in Ruby, as ruby is missing', '2 passed, 0 failed'],
  });
});

test('where its tool can be installed, it is a failure', () => {
  const { status, lines } = report([PASSED, WITHOUT_TOOL], 'can-install');
  expect([status, lines.at(-2)]).toEqual([1, '  the receiver in Ruby, as ruby is missing']);
  expect(report([PASSED], 'can-install')).toEqual({ status: 0, lines: ['1 passed, 0 failed'] });
});

test('a test that was skipped is a failure everywhere', () => {
  for (const canInstall of ['', 'can-install']) {
    expect(report([PASSED, SKIPPED], canInstall).status).toBe(1);
  }
});
