// `npm run test:nightly [-- PART …]`: what is too long for every day, before a release. Without a part, all of them;
// the parts are in test/nightly.json.
import { mkdirSync, readFileSync } from 'node:fs';
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

process.exitCode = runEach(chosen.flatMap(commandsOf)) ? 0 : 1;
for (const [part, { files }] of chosen) {
  if (files.length > 0)
    reportTimes(join(RESULTS, `${part}.json`), join(RESULTS, `${part}-times.json`));
}
