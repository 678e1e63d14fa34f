import type { FaultOutcome, FaultScenario } from '../test/support/fault-outcomes';
import { FAULT_ENV, FAULT_SCENARIOS, FAULT_TIMING } from '../test/support/fault-scenarios';
import globalSetup from '../test/support/global-setup';
import { runFaultScenario } from '../test/support/run-fault-scenario';
import type { SimulatedAppName } from '../test/support/shop';
import { startSystem, type System } from '../test/support/system';

/**
 * `npm run faults`: makes every simulated app fail in every possible way, and prints the caller's answer, the end of
 * the upload and what the app shows. Exits with 1 if anything differs from what the tests expect.
 */
const APPS: readonly SimulatedAppName[] = ['app-a', 'app-b', 'app-c', 'app-d'];

async function main(): Promise<void> {
  await globalSetup();
  try {
    const system = await startSystem({ env: FAULT_ENV, timing: FAULT_TIMING });
    const startedAt = Date.now();
    const rows = await Promise.all(FAULT_SCENARIOS.map((scenario) => runRow(system, scenario)));
    await system.stop();
    const wrong = rows.flat().filter((cell) => cell.endsWith('!')).length;
    print([['fault', ...APPS], ...rows]);
    process.stdout.write(
      `\nanswer, state, the menu that the app shows, pushes; ! = not as expected (${wrong}).\n` +
        `One request to an app has ${FAULT_ENV.DELIVERY_APP_TIMEOUT} (in production 30s). ` +
        `All at once, in ${Math.round((Date.now() - startedAt) / 1000)} s.\n`,
    );
    if (wrong > 0) process.exitCode = 1;
  } finally {
    await globalThis.stopTestServers?.();
  }
}

async function runRow(system: System, scenario: FaultScenario): Promise<string[]> {
  const cells = APPS.map(async (app) => {
    const expected = scenario.expected[app];
    if (!expected) return '-';
    try {
      return describe(await runFaultScenario(system, app, scenario), expected);
    } catch (error) {
      return `${error instanceof Error ? error.message : String(error)} !`;
    }
  });
  return [scenario.name, ...(await Promise.all(cells))];
}

function describe(outcome: FaultOutcome, expected: FaultOutcome): string {
  const { answer, state, shown, pushes } = outcome;
  const asExpected =
    answer === expected.answer &&
    state === expected.state &&
    shown === expected.shown &&
    (expected.pushes === undefined || expected.pushes === pushes) &&
    (expected.messages ?? []).every((message, index) => outcome.messages?.[index] === message);
  return `${answer} ${state}, ${shown}, ${pushes}${asExpected ? '' : ' !'}`;
}

function print(rows: readonly (readonly string[])[]): void {
  const width = (column: number) => Math.max(...rows.map((row) => row[column]?.length ?? 0));
  for (const row of rows) {
    const cells = row.map((cell, column) => cell.padEnd(width(column)));
    process.stdout.write(`${cells.join('  ').trimEnd()}\n`);
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exitCode = 1;
});
