// Ends `.ci/run`: the counts of Jest's own JSON report, and a failure for every test that did not run. A test whose tool
// few machines have passes as `NOT RUN: …` elsewhere; where `.ci/run` can install that tool, and in
// `npm run test:nightly`, it is a failure too.
import { readFileSync } from 'node:fs';

const [file, checksStatus, canInstall] = process.argv.slice(2);

function readReport() {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    process.stdout.write('The tests left no report.\n');
    return {
      numPassedTests: 0,
      numFailedTests: 1,
      numPendingTests: 0,
      numTodoTests: 0,
      testResults: [],
    };
  }
}

const report = readReport();
const skipped = report.testResults.flatMap(({ name, assertionResults }) =>
  assertionResults
    .filter(({ status }) => status !== 'passed' && status !== 'failed')
    .map(({ fullName }) => `  ${name}: ${fullName}`),
);
if (skipped.length > 0) {
  process.stdout.write(`Not run, which is a failure here:\n${skipped.join('\n')}\n`);
}
const withoutTool = report.testResults.flatMap(({ assertionResults }) =>
  assertionResults
    .filter(({ status, title }) => status === 'passed' && title.startsWith('NOT RUN: '))
    .map(({ title }) => `  ${title.slice('NOT RUN: '.length)}`),
);
const toolsAreDue = canInstall === 'can-install';
if (withoutTool.length > 0) {
  const verdict = toolsAreDue ? 'Not run for want of a tool, which is a failure here' : 'Not run';
  process.stdout.write(`${verdict}:\n${withoutTool.join('\n')}\n`);
}
const failedSuites = report.numRuntimeErrorTestSuites ?? 0;
if (failedSuites > 0) process.stdout.write(`Test files that could not run: ${failedSuites}\n`);
const good =
  checksStatus === '0' &&
  skipped.length === 0 &&
  (withoutTool.length === 0 || !toolsAreDue) &&
  failedSuites === 0 &&
  report.numFailedTests === 0;
process.stdout.write(`${report.numPassedTests} passed, ${report.numFailedTests} failed\n`);
process.exitCode = good && report.numPassedTests > 0 ? 0 : 1;
