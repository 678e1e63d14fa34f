const { existsSync } = require('node:fs');
const path = require('node:path');
const { default: TestRunner } = require('jest-runner');
const { needsOf } = require('./needs.js');

const ROOT = path.join(__dirname, '..', '..');

/** Files that run behind all others, one at a time and in this order. */
const ALONE = [
  // These two take both processors: whatever runs beside them breaks its time limits, and they break theirs.
  'test/faults/app-faults.test.ts',
  'test/faults/chaos.test.ts',
  // Looks at what all others were answered.
  'test/api-contract/all-cells.test.ts',
];

/**
 * Files that take longest, one that mostly waits next to one that mostly computes. They begin before all others: on a
 * machine without times of an earlier run, Jest goes by the size of a file, and the last one would run for a minute
 * beside nothing.
 */
const FIRST = [
  'test/faults/rollouts.test.ts',
  'test/unit/linear-time.test.ts',
  'test/faults/temporal-away.test.ts',
  'test/faults/hanging-app.test.ts',
  'test/faults/availability.test.ts',
  'test/e2e/menu-upload.test.ts',
  'test/http/fuzz.test.ts',
  'test/http/server.test.ts',
  'test/api-contract/every-endpoint.test.ts',
  'test/e2e/drift.test.ts',
  'test/unit/menu-rules-properties.test.ts',
  'test/api-contract/wrong-fields.test.ts',
  'test/availability/from-stock.test.ts',
  'test/faults/postgres-away.test.ts',
  'test/api-contract/menu-refusals.test.ts',
  'test/workflows/webhook-shard.test.ts',
  'test/api-contract/tokens.test.ts',
  'test/faults/worker-crash.test.ts',
];

/** Long ones first; the others stay in Jest's order. */
function inOrder(tests) {
  const long = FIRST.flatMap((file) => tests.filter((test) => nameOf(test) === file));
  return [...long, ...tests.filter((test) => !long.includes(test))];
}

const nameOf = (test) => path.relative(ROOT, test.path).replaceAll('\\', '/');

/**
 * Jest's own runner, except that it starts the servers that the files need, begins with the long files, and runs some
 * alone. A file that fails beside others has failed: it shows a race, or a limit that depends on the machine.
 */
module.exports = class extends TestRunner {
  async runTests(tests, watcher, options) {
    const gone = [...ALONE, ...FIRST].filter((file) => !existsSync(path.join(ROOT, file)));
    if (gone.length > 0) throw new Error(`test/support/runner.js names ${gone.join(', ')}`);
    await globalThis.startTestServers(new Set(tests.flatMap((test) => [...needsOf(test.path)])));
    const placeOf = (test) => ALONE.indexOf(nameOf(test));
    const beside = inOrder(tests.filter((test) => placeOf(test) === -1));
    const alone = tests
      .filter((test) => placeOf(test) !== -1)
      .toSorted((a, b) => placeOf(a) - placeOf(b));
    if (beside.length > 0) await super.runTests(beside, watcher, options);
    for (const test of alone) await super.runTests([test], watcher, options);
    await globalThis.stopKeptSystem?.(); // of files that ran in this process
  }
};
