// `npm test`: every check that a change must pass, cheapest first. With paths or flags it is Jest alone.
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

const bin = (name) => join('node_modules', '.bin', name);
const report = join('.test-results', 'jest.json');
const jest = (...args) => ['Tests', bin('jest'), ...args];

const given = process.argv.slice(2);
const checks =
  given.length > 0
    ? [jest(...given)]
    : [
        ['Format', bin('oxfmt'), '--check', '.'],
        ['Types', bin('tsc'), '--noEmit'],
        ['Lint', bin('oxlint'), '--type-aware', '--deny-warnings'],
        ['Dead code', bin('knip')],
        jest('--json', `--outputFile=${report}`),
      ];

mkdirSync('.test-results', { recursive: true });
// Run all of them, even after a failure, so that one run shows every problem.
const failed = checks.filter(([name, command, ...args]) => {
  process.stdout.write(`\n${name}\n`);
  const startedAt = Date.now();
  const { status } = spawnSync(command, args, { stdio: 'inherit' });
  process.stdout.write(
    `${name}: ${status === 0 ? 'ok' : 'FAILED'} (${Math.round((Date.now() - startedAt) / 1000)} s)\n`,
  );
  return status !== 0;
});
if (failed.length > 0) {
  process.stdout.write(`\nFailed: ${failed.map(([name]) => name).join(', ')}\n`);
  process.exitCode = 1;
}
