import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RUN_ELSEWHERE, scriptLines } from '../../test/support/docs-ledger';

/*
 * `npx tsx dev/checks/run-docs.ts`: runs every command of the pages that is a program of the project, as it stands there,
 * and says of the others who runs them. What is pasted beside a running service is played by tests
 * (test/support/docs-ledger.ts). Ends with what each took, by which a page says how long its commands take.
 */

const ROOT = join(__dirname, '..', '..');
/** Jest's report of the part `docs` of the night, whose tests come before this. */
const REPORT = join(ROOT, '.test-results', 'nightly', 'docs.json');

interface Report {
  readonly testResults: readonly {
    readonly assertionResults: readonly {
      readonly title: string;
      readonly status: string;
      readonly duration: number;
    }[];
  }[];
}

interface Ended {
  readonly what: string;
  readonly seconds: number;
  readonly ok: boolean;
}

function runLine(page: string, line: string): Ended {
  process.stdout.write(`\n$ ${line}\n`);
  const startedAt = Date.now();
  const { status } = spawnSync('sh', ['-c', line], { cwd: ROOT, stdio: 'inherit' });
  const seconds = (Date.now() - startedAt) / 1000;
  return { what: `${page}: ${line}`, seconds, ok: status === 0 };
}

/** What the tests of the night took for the pages of which they paste the commands; none where it was not run. */
function pastedPages(): readonly Ended[] {
  if (!existsSync(REPORT)) return [];
  const { testResults } = JSON.parse(readFileSync(REPORT, 'utf8')) as Report;
  return testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ title }) => title.includes('commands of '))
    .map(({ title, status, duration }) => ({
      what: title,
      seconds: duration / 1000,
      ok: status === 'passed',
    }));
}

const lines = scriptLines();
for (const { line } of lines) {
  const reason = RUN_ELSEWHERE[line];
  if (reason !== undefined) process.stdout.write(`not here: ${line}: ${reason}\n`);
}
const ended = lines
  .filter(({ line }) => RUN_ELSEWHERE[line] === undefined)
  .map(({ page, line }) => runLine(page, line));
process.stdout.write('\nHow long:\n');
for (const { what, seconds, ok } of [...ended, ...pastedPages()]) {
  process.stdout.write(`${seconds.toFixed(1).padStart(7)} s  ${what}${ok ? '' : ': FAILED'}\n`);
}
if (ended.some(({ ok }) => !ok)) process.exitCode = 1;
