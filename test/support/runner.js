const { existsSync } = require('node:fs');
const path = require('node:path');
const { default: TestRunner } = require('jest-runner');

const ROOT = path.join(__dirname, '..', '..');

/** Files that run behind all others, one at a time and in this order. */
const ALONE = [
  // These two take both processors: whatever runs beside them breaks its time limits, and they break theirs.
  'test/faults/app-faults.test.ts',
  'test/faults/chaos.test.ts',
  // Looks at what all others were answered.
  'test/contract-cells/all-cells.test.ts',
];

/** Jest's own runner, except for the files that have to run alone. */
module.exports = class extends TestRunner {
  async runTests(tests, watcher, options) {
    const gone = ALONE.filter((file) => !existsSync(path.join(ROOT, file)));
    if (gone.length > 0) throw new Error(`test/support/runner.js names ${gone.join(', ')}`);
    const placeOf = (test) => ALONE.indexOf(path.relative(ROOT, test.path).replaceAll('\\', '/'));
    const beside = tests.filter((test) => placeOf(test) === -1);
    const alone = tests
      .filter((test) => placeOf(test) !== -1)
      .toSorted((a, b) => placeOf(a) - placeOf(b));
    if (beside.length > 0) await super.runTests(beside, watcher, options);
    for (const test of alone) await super.runTests([test], watcher, options);
  }
};
