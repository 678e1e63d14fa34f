import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Guarantee, Proof } from '../../test/guarantee';
import { GUARANTEES } from '../../test/guarantees';

/*
 * `npm run guarantees`: attacks every promise of docs/guarantees.md and prints how often it was tried and how often it
 * was broken. With `--report FILE` it reads a report that Jest has left, and runs nothing.
 */

interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly message: string;
    readonly assertionResults: readonly { readonly title: string; readonly status: string }[];
  }[];
}

interface Verdict {
  readonly promise: string;
  readonly runs: number;
  readonly violations: number;
}

const ROOT = join(__dirname, '..', '..');
const OWN_REPORT = join(ROOT, '.test-results', 'guarantees.json');

function main(args: readonly string[]): void {
  const [flag, given] = args;
  if (args.length > 0 && (flag !== '--report' || given === undefined)) {
    process.stderr.write('npm run guarantees [-- --report FILE]\n');
    process.exitCode = 2;
    return;
  }
  const file = given ?? runTests();
  const report = JSON.parse(readFileSync(file, 'utf8')) as Report;
  const verdicts = GUARANTEES.map((guarantee) => judge(guarantee, report));
  process.stdout.write(`${verdicts.map(lineOf).join('\n')}\n`);
  const broken = verdicts.filter(({ runs, violations }) => violations > 0 || runs === 0);
  process.stdout.write(
    `${verdicts.length} promises, ${broken.length === 0 ? 'none was broken' : `${broken.length} broken or not tried`}.\n`,
  );
  if (broken.length > 0) process.exitCode = 1;
}

function runTests(): string {
  mkdirSync(join(ROOT, '.test-results'), { recursive: true });
  const files = new Set(GUARANTEES.flatMap(({ proofs }) => proofs.map(({ file }) => file)));
  const jest = join(ROOT, 'node_modules', '.bin', 'jest');
  const args = ['--json', `--outputFile=${OWN_REPORT}`, '--runTestsByPath', ...files];
  spawnSync(jest, args, { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] });
  return OWN_REPORT;
}

function judge({ promise, proofs }: Guarantee, report: Report): Verdict {
  const tests = proofs.flatMap((proof) => testsOf(proof, report));
  return {
    promise,
    runs: tests.filter((status) => status === 'passed' || status === 'failed').length,
    violations: tests.filter((status) => status === 'failed').length,
  };
}

/** How each test of a proof ended; a file that could not run counts as a failure. */
function testsOf({ file, titles }: Proof, { testResults }: Report): readonly string[] {
  const result = testResults.find(({ name }) => name.endsWith(file));
  if (!result) return [];
  if (result.assertionResults.length === 0 && result.message !== '') return ['failed'];
  return result.assertionResults
    .filter(({ title }) => titles === undefined || titles.includes(title))
    .map(({ status }) => status);
}

function lineOf({ promise, runs, violations }: Verdict): string {
  return `${String(runs).padStart(6)} runs ${String(violations).padStart(4)} violations  ${promise}`;
}

main(process.argv.slice(2));
