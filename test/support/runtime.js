const asyncHooks = require('node:async_hooks');
const { readFileSync } = require('node:fs');
const { builtinModules, createRequire } = require('node:module');
const path = require('node:path');

const { default: Runtime } = createRequire(require.resolve('jest-runner'))('jest-runtime');

const ROOT = path.join(__dirname, '..', '..');
/** The program, what it is built with, packages, and what tests share on purpose. */
const KEPT = [
  'src',
  'dev',
  'schemas',
  'workflows',
  'activities',
  'clients',
  'node_modules',
  'test/support/kept',
].map((folder) => path.join(ROOT, folder) + path.sep);
/** Jest's own have to be its own. */
const OF_JEST = /^(?:@jest\/|jest|expect$)/;

/** By folder, and by name. */
const found = new Map();

function resolve(from, name) {
  // Compiles TypeScript; not before, as it needs what the run has set.
  require('./child-typescript.cjs');
  try {
    return createRequire(from).resolve(name);
  } catch {
    return ''; // Jest says better what is missing
  }
}

/** The path of a module that is kept; null for those that Jest loads. */
function keptFile(from, name) {
  if (name.startsWith('node:') || builtinModules.includes(name) || OF_JEST.test(name)) return null;
  const key = `${path.dirname(from)}\0${name}`;
  let file = found.get(key);
  if (file === undefined) {
    file = resolve(from, name);
    found.set(key, file);
  }
  return KEPT.some((folder) => file.startsWith(folder)) ? file : null;
}

/** At the head of a test file that changes what the program keeps in a module, such as the list of apps. */
const OWN_MODULES = /^\/\*\*[^/]*@own-modules/;

/**
 * Jest makes a store for each file and lets it be: before Node 24 every promise from then on is told to every store, and
 * the hundredth file of a process needs several times the processor time of the first. So those end with their file.
 */
function hooksOf(stores) {
  class AsyncLocalStorage extends asyncHooks.AsyncLocalStorage {
    constructor(...given) {
      super(...given);
      stores.push(this);
    }
  }
  return { ...asyncHooks, AsyncLocalStorage };
}

/**
 * Jest loads every module anew for every test file, which was most of the processor time of a run. Here a process of
 * tests loads the program and its packages once, as Node does, and only what is in `test` and `bench` for each file.
 */
module.exports = class extends Runtime {
  #keeps;
  #stores = [];

  constructor(...given) {
    super(...given);
    const testPath = given[6];
    const { coreModule } = this;
    const [requireCore, hooks] = [coreModule.require.bind(coreModule), hooksOf(this.#stores)];
    coreModule.require = (name) =>
      /^(?:node:)?async_hooks$/.test(name) ? hooks : requireCore(name);
    this.#keeps = !OWN_MODULES.test(readFileSync(testPath, 'utf8'));
  }

  requireModuleOrMock(from, name) {
    const file = this.#keeps ? keptFile(from, name) : null;
    if (file === null) return super.requireModuleOrMock(from, name);
    return require(file);
  }

  teardown() {
    for (const each of this.#stores) each.disable();
    super.teardown();
  }
};
