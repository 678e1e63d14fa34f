import { parseArgs } from 'node:util';
import type { Violations } from '../test/support/chaos/judge';
import { type ChaosReport, countViolations, runChaos } from '../test/support/chaos/run-chaos';

/**
 * `npm run chaos -- --minutes 10 --seed 7`: two APIs and two workers in production mode under a load of menus and
 * events, while everything is killed, frozen and cut off at random, Temporal's data included. Prints what was
 * accepted and how it ended; exits with 1 if a promise was broken, and says where the logs are.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      minutes: { type: 'string', default: '10' },
      seed: { type: 'string', default: '7' },
    },
  });
  const [minutes, seed] = [Number(values.minutes), Number(values.seed)];
  if (!(minutes > 0) || !Number.isInteger(seed)) {
    throw new Error('--minutes takes a number above 0, --seed a whole number');
  }
  const report = await runChaos({ seed, ms: minutes * 60_000, onProgress: say });
  process.stdout.write(`${render(report, `${minutes} min, seed ${seed}`)}\n`);
  if (report.settledMs === null || countViolations(report) > 0) process.exitCode = 1;
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

const PROMISES: Readonly<Record<keyof Violations, string>> = {
  lost: 'lost (accepted, not carried out)',
  wrong: 'wrong (not the last menu shown)',
  overlapping: 'overlapping pushes to one shop',
  doubled: 'accepted once, made twice',
  late: 'webhooks repeated after the caller was told',
  endedByItself: 'processes that ended by themselves',
  surprising: 'answers that no fault explains',
};

function render(report: ChaosReport, title: string): string {
  const { violations, settledMs } = report;
  const promises = Object.entries(violations) as [keyof Violations, readonly string[]][];
  const rows: (readonly [string, string | number])[] = [
    ['accepted uploads', report.uploads],
    ['pushes', report.pushes],
    ['accepted events', report.events],
    ['webhooks repeated before they were recorded', report.repeatedWebhooks],
    ['requests that callers had to repeat', report.repeats],
    ...promises.map(([name, each]) => [PROMISES[name], each.length] as const),
    [
      'all settled after the last fault',
      settledMs === null ? 'NO' : `${(settledMs / 1000).toFixed(1)} s`,
    ],
  ];
  const faults = [...report.strikes].toSorted(([one], [other]) => one.localeCompare(other));
  return [
    title,
    table(rows),
    `faults: ${faults.map(([name, count]) => `${name} ${count}`).join(', ')}`,
    ...promises.flatMap(([name, each]) => each.slice(0, 20).map((line) => `! ${name}: ${line}`)),
    ...(report.logs === null ? [] : [`logs: ${report.logs}`]),
  ].join('\n');
}

function table(rows: readonly (readonly [string, string | number])[]): string {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`).join('\n');
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exitCode = 1;
});
