const { existsSync, mkdirSync, writeFileSync } = require('node:fs');
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
  'test/http/access.test.ts',
  'test/e2e/menu-upload.test.ts',
  'test/http/docs.test.ts',
  'test/faults/availability.test.ts',
  'test/console/console-pages.test.ts',
  'test/workflows/webhook-shard-crash.test.ts',
  'test/api-contract/tokens.test.ts',
  'test/faults/hanging-app.test.ts',
  'test/unit/linear-reads.test.ts',
  'test/faults/takeover.test.ts',
  'test/faults/newest-wins.test.ts',
  'test/http/fuzz.test.ts',
  'test/faults/webhook-servers-away.test.ts',
  'test/availability/every-app.test.ts',
  'test/faults/availability-every-process.test.ts',
];

/** Long ones first; the others stay in Jest's order. */
function inOrder(tests) {
  const long = FIRST.flatMap((file) => tests.filter((test) => nameOf(test) === file));
  return [...long, ...tests.filter((test) => !long.includes(test))];
}

const nameOf = (test) => path.relative(ROOT, test.path).replaceAll('\\', '/');

/** More failures than this are no matter of a busy machine: they are reported at once. */
const MOST_AGAIN = 10;
const UNSTEADY = path.join(ROOT, '.test-results', 'unsteady.json');

/**
 * Jest's own runner, except that it starts the servers that the files need, begins with the long files, and runs some
 * alone. A file that fails beside others runs once more with the machine to itself, and that result counts, because two
 * processors shared by two files and their servers can break a time limit of any test. What failed the first time is
 * printed, and again at the end of `.ci/run`: it is to be mended, as it shows a race or a limit that depends on the machine.
 */
module.exports = class extends TestRunner {
  #listeners = {};
  /** Results of files that failed beside others; null when results are passed on at once. */
  #held = null;

  on(eventName, listener) {
    this.#listeners[eventName] = listener;
    return super.on(eventName, (event) =>
      this.#holds(eventName, event) ? undefined : listener(event),
    );
  }

  #holds(eventName, event) {
    if (this.#held === null) return false;
    const [, result] = event;
    const failed =
      eventName === 'test-file-failure' ||
      (eventName === 'test-file-success' &&
        (result.numFailingTests > 0 || result.testExecError !== undefined));
    if (failed) this.#held.push({ eventName, event });
    return failed;
  }

  async runTests(tests, watcher, options) {
    const gone = [...ALONE, ...FIRST].filter((file) => !existsSync(path.join(ROOT, file)));
    if (gone.length > 0) throw new Error(`test/support/runner.js names ${gone.join(', ')}`);
    await globalThis.startTestServers(new Set(tests.flatMap((test) => [...needsOf(test.path)])));
    const placeOf = (test) => ALONE.indexOf(nameOf(test));
    const beside = inOrder(tests.filter((test) => placeOf(test) === -1));
    const alone = tests
      .filter((test) => placeOf(test) !== -1)
      .toSorted((a, b) => placeOf(a) - placeOf(b));
    if (beside.length > 0) await this.#runBeside(beside, watcher, options);
    for (const test of alone) await super.runTests([test], watcher, options);
    await globalThis.stopKeptSystem?.(); // of files that ran in this process
  }

  async #runBeside(tests, watcher, options) {
    if (tests.length === 1) return super.runTests(tests, watcher, options);
    this.#held = [];
    await super.runTests(tests, watcher, options);
    const failures = this.#held;
    this.#held = null;
    if (failures.length === 0 || failures.length > MOST_AGAIN) {
      for (const { eventName, event } of failures) await this.#listeners[eventName]?.(event);
      return;
    }
    const unsteady = failures.map(({ event: [test, result] }) => ({
      file: nameOf(test),
      message: String(result.failureMessage ?? result.message ?? result).trim(),
    }));
    for (const { file, message } of unsteady) {
      process.stdout.write(`\nFailed beside other tests, runs again alone: ${file}\n${message}\n`);
    }
    mkdirSync(path.dirname(UNSTEADY), { recursive: true });
    writeFileSync(UNSTEADY, JSON.stringify(unsteady));
    for (const {
      event: [test],
    } of failures) {
      await super.runTests([test], watcher, options);
    }
  }
};
