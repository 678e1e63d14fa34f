const vm = require('node:vm');
const { TestEnvironment } = require('jest-environment-node');

/**
 * Jest compiles every module anew for every test file: a second of the two that a file takes which loads the whole
 * service. V8 keeps what it has compiled of a script, by its text and name, but nothing of what `compileFunction`
 * makes, nor of a script that brings its own `import()`. That one is of no use here: Jest's refuses every call.
 */
const { compileFunction } = vm;
vm.compileFunction = (code, parameters = [], options = {}) => {
  const { filename, parsingContext } = options;
  if (parsingContext === undefined || code.startsWith('#!')) {
    return compileFunction(code, parameters, options);
  }
  const head = `(function (${parameters.join(', ')}) {`;
  const script = new vm.Script(`${head}${code}\n})`, { filename, columnOffset: -head.length });
  return script.runInContext(parsingContext);
};

const LEAK_AFTER_MS = 5_000;

/**
 * Jest lets a process of tests end by no longer listening to it. If something is left open then, Jest kills the process
 * after a while and does not say what it was.
 */
process.once('removeListener', (event) => {
  if (event !== 'message') return;
  setTimeout(() => {
    const open = process.getActiveResourcesInfo().join(', ');
    process.stderr.write(`\nStill open in a process of tests: ${open}\n`);
  }, LEAK_AFTER_MS).unref();
});

module.exports = TestEnvironment;
