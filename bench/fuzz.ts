import { parseArgs } from 'node:util';
import globalSetup from '../test/support/global-setup';
import { runFuzz } from '../test/support/fuzz/run-fuzz';

/**
 * `npm run fuzz -- --cases 200000 --seed 7`: sends this many requests, made from the declarations of the routes, to a
 * separate service. Prints the answers, and exits with 1 if its route does not declare an answer.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      cases: { type: 'string', default: '200000' },
      seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    },
  });
  const [cases, seed] = [Number(values.cases), Number(values.seed)];
  if (!Number.isSafeInteger(cases) || !Number.isSafeInteger(seed)) {
    throw new Error('--cases and --seed are whole numbers');
  }
  process.stdout.write(`seed ${seed}\n`);
  await globalSetup();
  try {
    const report = await runFuzz({ cases, seed });
    for (const each of report.complaints) process.stdout.write(`${each}\n\n`);
    const counts = Object.entries(report.statuses).map(([status, count]) => `${status}: ${count}`);
    process.stdout.write(
      `${report.cases} requests in ${report.seconds.toFixed(1)} s, ${report.complaints.length} complaints, ` +
        `${report.largestRss} MB at most\n${counts.join(', ')}\n`,
    );
    if (report.complaints.length > 0) process.exitCode = 1;
  } finally {
    await globalThis.stopTestServers?.();
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exitCode = 1;
});
