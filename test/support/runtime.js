const { builtinModules, createRequire } = require('node:module');
const path = require('node:path');
const { default: Runtime } = require('jest-runtime');

const ROOT = path.join(__dirname, '..', '..');
/** The program, what it is built with, and packages. */
const KEPT = ['src', 'dev', 'schemas', 'workflows', 'activities', 'clients', 'node_modules'].map(
  (folder) => path.join(ROOT, folder) + path.sep,
);
/** Jest's own have to be its own. */
const OF_JEST = /^(?:@jest\/|jest|expect$)/;

/** By folder, and by name. */
const found = new Map();

function keptFile(from, name) {
  if (name.startsWith('node:') || builtinModules.includes(name) || OF_JEST.test(name)) return null;
  const key = `${path.dirname(from)}\0${name}`;
  let file = found.get(key);
  if (file === undefined) {
    file = createRequire(from).resolve(name);
    found.set(key, file);
  }
  return KEPT.some((folder) => file.startsWith(folder)) ? file : null;
}

/**
 * Jest loads every module anew for every test file, which was most of the processor time of a run. Here a process of
 * tests loads the program and its packages once, as Node does, and only what is in `test` and `bench` for each file.
 */
module.exports = class extends Runtime {
  requireModuleOrMock(from, name) {
    // Compiles TypeScript; not before, as it needs what the run has set.
    require('./child-typescript.cjs');
    let file;
    try {
      file = keptFile(from, name);
    } catch {
      file = null; // Jest says better what is missing
    }
    return file === null ? super.requireModuleOrMock(from, name) : require(file);
  }
};
