import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { RUN_ELSEWHERE, scriptLines } from '../../test/support/docs-ledger';

/*
 * `npx tsx dev/checks/run-docs.ts`: runs every command of the pages that is a program of the project, as it stands there,
 * and prints how long it took; says of the others who runs them. What is pasted beside a running service is played by
 * tests (test/support/docs-ledger.ts).
 */

const ROOT = join(__dirname, '..', '..');

function runLine(line: string): boolean {
  process.stdout.write(`\n$ ${line}\n`);
  const startedAt = Date.now();
  const { status } = spawnSync('sh', ['-c', line], { cwd: ROOT, stdio: 'inherit' });
  const seconds = Math.round((Date.now() - startedAt) / 1000);
  process.stdout.write(`${line}: ${status === 0 ? 'ok' : `FAILED (${status})`}, ${seconds} s\n`);
  return status === 0;
}

const lines = scriptLines();
for (const line of lines) {
  const reason = RUN_ELSEWHERE[line];
  if (reason !== undefined) process.stdout.write(`not here: ${line}: ${reason}\n`);
}
const failed = lines.filter((line) => RUN_ELSEWHERE[line] === undefined && !runLine(line));
if (failed.length > 0) {
  process.stdout.write(`\nFailed: ${failed.join('; ')}\n`);
  process.exitCode = 1;
}
