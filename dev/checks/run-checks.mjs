// `npm test`: every check that a change must pass, cheapest first. With paths or flags it is Jest alone.
// `npm run test:quick`: the same with those tests only that need no server.
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { reportTimes } from './report-times.mjs';
import { bin, jest, runEach } from './run-each.mjs';

const SELECTIONS = './test/support/select';
const RESULTS = '.test-results';

const given = process.argv.slice(2);
const quick = given[0] === '--quick';
const report = join(RESULTS, quick ? 'quick.json' : 'jest.json');

function jestOf(selection) {
  const filter = `--filter=${SELECTIONS}/${selection}`;
  return ['Tests', ...jest(filter, '--json', `--outputFile=${report}`)];
}

const checks = [
  ['Format', bin('oxfmt'), '--check', '.'],
  ['Types', bin('tsc'), '--noEmit'],
  ['Lint', bin('oxlint'), '--type-aware', '--deny-warnings'],
  ['Dead code', bin('knip')],
  jestOf(quick ? 'quick.js' : 'everyday.js'),
];

if (given.length > 0 && !quick) {
  process.exitCode = runEach([['Tests', ...jest(...given)]]) ? 0 : 1;
} else {
  mkdirSync(RESULTS, { recursive: true }); // Jest does not make it
  rmSync(report, { force: true });
  process.exitCode = runEach(checks) ? 0 : 1;
  reportTimes(report, join(RESULTS, quick ? 'quick-times.json' : 'times.json'));
}
