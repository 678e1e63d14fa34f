// `npm run test:nightly [-- PART …]`: what is too long for every day, before a release. Without a part, all of them;
// the parts are in test/nightly.json.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { reportTimes } from './report-times.mjs';
import { jest, runEach } from './run-each.mjs';

const RESULTS = join('.test-results', 'nightly');

const parts = JSON.parse(readFileSync('test/nightly.json', 'utf8'));
const given = process.argv.slice(2);
const unknown = given.filter((part) => !Object.hasOwn(parts, part));
if (unknown.length > 0) {
  process.stderr.write(
    `No such part: ${unknown.join(', ')}. There are: ${Object.keys(parts).join(', ')}\n`,
  );
  process.exit(2);
}
mkdirSync(RESULTS, { recursive: true });
const chosen = Object.entries(parts).filter(([part]) => given.length === 0 || given.includes(part));

function commandsOf([part, { files, commands }]) {
  const others = commands.map((line) => [`${part}: ${line}`, ...line.split(' ')]);
  if (files.length === 0) return others;
  const report = join(RESULTS, `${part}.json`);
  return [
    [`${part}: tests`, ...jest('--json', `--outputFile=${report}`, ...files)],
    [
      `${part}: all ran`,
      process.execPath,
      'dev/checks/report-tests.mjs',
      report,
      '0',
      'can-install',
    ],
    ...others,
  ];
}

const git = (...args) => spawnSync('git', args, { encoding: 'utf8' }).stdout?.trim();

/** How each part ended last, and at which commit, for `npm run release`; uncommitted work counts for no commit. */
function noteEnd(part, ok) {
  const commit = git('status', '--porcelain') === '' ? git('rev-parse', 'HEAD') : 'none';
  const file = join(RESULTS, 'ended.json');
  const before = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  writeFileSync(file, JSON.stringify({ ...before, [part]: { commit, ok } }, null, 2));
}

const failed = chosen.filter((each) => {
  const ok = runEach(commandsOf(each));
  noteEnd(each[0], ok);
  return !ok;
});
if (failed.length > 0) {
  process.stdout.write(`\nFailed parts: ${failed.map(([part]) => part).join(', ')}\n`);
  process.exitCode = 1;
}
for (const [part, { files }] of chosen) {
  if (files.length > 0)
    reportTimes(join(RESULTS, `${part}.json`), join(RESULTS, `${part}-times.json`));
}
