const { createRequire } = require('node:module');
const vm = require('node:vm');

const requireOfJest = createRequire(require.resolve('jest-environment-node'));
const { ModernFakeTimers } = requireOfJest('@jest/fake-timers');
const { ModuleMocker } = requireOfJest('jest-mock');

/**
 * Files run in the process's own context, not in one each as with Jest's environment: what they share (`runtime.js`)
 * has the same `Error`, `Map` and `Date` as they have. Scripts, unlike what Jest compiles, are kept by V8 by their text
 * and name, so that support modules are compiled once for all files.
 */
const CONTEXT = {};
const { compileFunction } = vm;
vm.compileFunction = (code, parameters = [], options = {}) => {
  if (options.parsingContext !== CONTEXT) return compileFunction(code, parameters, options);
  // What begins with #! is a program, and no function around it would be one.
  const text = code.startsWith('#!') ? `//${code}` : code;
  const head = `(function (${parameters.join(', ')}) {`;
  const script = new vm.Script(`${head}${text}\n})`, {
    filename: options.filename,
    columnOffset: -head.length,
  });
  return script.runInThisContext();
};

// Random tests are the same in each run; what another seed finds, its author sees by giving it to `fc.assert`.
require('fast-check').configureGlobal({ seed: 20_261_128 });

/** What Jest replaces for a file. */
const OWN = ['exit', 'getBuiltinModule'].map((name) => [name, process[name]]);
const { console: OWN_CONSOLE } = globalThis;

module.exports = class {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  fakeTimers = null;
  #context = CONTEXT;
  #env = { ...process.env };

  constructor({ projectConfig }) {
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  async setup() {}

  async teardown() {
    this.#context = null;
    this.fakeTimersModern.dispose();
    for (const [name, value] of OWN) process[name] = value;
    globalThis.console = OWN_CONSOLE;
    for (const name of Object.keys(process.env)) {
      if (!(name in this.#env)) delete process.env[name];
    }
    Object.assign(process.env, this.#env);
  }

  getVmContext() {
    return this.#context;
  }
};

/** Jest was killed. */
const end = () => process.exit();
process.on('disconnect', end);

const LEAK_AFTER_MS = 5_000;

/**
 * Jest lets a process of tests end by no longer listening to it; the system that it has kept ends then. If something is
 * left open, Jest kills the process after a while and does not say what it was.
 */
process.on('removeListener', (event) => {
  if (event !== 'message' || process.listenerCount('message') > 0) return;
  process.removeListener('disconnect', end); // it would keep the process
  void globalThis.stopKeptSystem?.();
  setTimeout(() => {
    const open = process.getActiveResourcesInfo().join(', ');
    process.stderr.write(`\nStill open in a process of tests: ${open}\n`);
  }, LEAK_AFTER_MS).unref();
});
