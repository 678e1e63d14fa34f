import { createRequire } from 'node:module';
import { join } from 'node:path';
import { INSTRUMENTER_CONSTANTS as NAMES } from '@stryker-mutator/api/core';
import {
  declareFactoryPlugin,
  PluginKind,
  tokens,
  commonTokens,
} from '@stryker-mutator/api/plugin';
import {
  determineHitLimitReached,
  DryRunStatus,
  TestStatus,
  toMutantRunResult,
} from '@stryker-mutator/api/test-runner';
import { expect } from 'expect';
import { bind } from 'jest-each';

const require = createRequire(import.meta.url);

/**
 * Runs the tests of pure code for Stryker inside its own process: the files are loaded once, and each mutant costs only
 * the tests that reach it (10 ms; a start of Jest for each takes seconds). It knows what these tests use of Jest:
 * `describe`, `test`, `it`, their `.each`, and `expect`. Hooks, mocks and snapshots are unknown here, and a test with
 * one of them fails in the first run.
 *
 * The files come from `mutationRunner.tests` of stryker.config.js; tests whose title matches `leaveOut` are not run.
 */
class MutationRunner {
  #files;
  #leaveOut;
  #tests = [];
  #state;

  constructor(options) {
    this.#files = options.mutationRunner.tests;
    this.#leaveOut = new RegExp(options.mutationRunner.leaveOut);
    this.#state = globalThis[NAMES.NAMESPACE] ??= {};
  }

  /** The files stay loaded, so a mutant of what runs at load cannot be tried; `ignoreStatic` leaves those out. */
  capabilities() {
    return { reloadEnvironment: false };
  }

  init() {
    const names = [];
    const describe = (name, body) => {
      names.push(name);
      body();
      names.pop();
    };
    const test = (name, body) => {
      if (this.#leaveOut.test(name)) return;
      this.#tests.push({ id: [...names, name].join(' › '), body });
    };
    describe.each = bind(describe, false);
    test.each = bind(test, false);
    Object.assign(globalThis, { describe, test, it: test, expect });
    for (const file of this.#files) {
      names.push(file);
      require(join(process.cwd(), file));
      names.pop();
    }
    const ids = new Set(this.#tests.map(({ id }) => id));
    if (ids.size < this.#tests.length) throw new Error('Two tests of one file have the same name.');
  }

  async dryRun({ disableBail }) {
    const tests = await this.#run(this.#tests, disableBail);
    return {
      status: DryRunStatus.Complete,
      tests,
      mutantCoverage: this.#state[NAMES.MUTATION_COVERAGE_OBJECT],
    };
  }

  async mutantRun({ activeMutant, testFilter, disableBail, hitLimit }) {
    const state = this.#state;
    state[NAMES.HIT_LIMIT] = hitLimit;
    state[NAMES.HIT_COUNT] = hitLimit === undefined ? undefined : 0;
    state[NAMES.ACTIVE_MUTANT] = activeMutant.id;
    const wanted = testFilter && new Set(testFilter);
    const chosen = wanted ? this.#tests.filter(({ id }) => wanted.has(id)) : this.#tests;
    try {
      const tests = await this.#run(chosen, disableBail);
      return (
        determineHitLimitReached(state[NAMES.HIT_COUNT], hitLimit) ??
        toMutantRunResult({ status: DryRunStatus.Complete, tests })
      );
    } finally {
      state[NAMES.ACTIVE_MUTANT] = undefined;
    }
  }

  async #run(tests, disableBail) {
    const results = [];
    for (const { id, body } of tests) {
      this.#state[NAMES.CURRENT_TEST_ID] = id;
      const started = performance.now();
      const failure = await failureOf(body);
      results.push({
        id,
        name: id,
        timeSpentMs: performance.now() - started,
        ...(failure === undefined
          ? { status: TestStatus.Success }
          : { status: TestStatus.Failed, failureMessage: failure }),
      });
      if (failure !== undefined && !disableBail) break;
    }
    this.#state[NAMES.CURRENT_TEST_ID] = undefined;
    return results;
  }
}

/** What a test said when it failed; nothing when it passed. */
async function failureOf(body) {
  expect.setState({
    assertionCalls: 0,
    isExpectingAssertions: false,
    expectedAssertionsNumber: null,
  });
  try {
    await body();
    const { isExpectingAssertions, assertionCalls } = expect.getState();
    return isExpectingAssertions && assertionCalls === 0 ? 'No assertion was made.' : undefined;
  } catch (error) {
    return String(error?.message ?? error).slice(0, 1_000) || 'failed';
  }
}

createRunner.inject = tokens(commonTokens.options);
function createRunner(options) {
  return new MutationRunner(options);
}

export const strykerPlugins = [
  declareFactoryPlugin(PluginKind.TestRunner, 'in-process', createRunner),
];
