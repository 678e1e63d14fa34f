// Preloaded by child processes: compiles TypeScript as the tests are compiled, once for all of them. With tsx, which
// looks at every module of every package too, each would take two seconds of a processor more until it runs.
const { createHash } = require('node:crypto');
const { mkdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const Module = require('node:module');
const path = require('node:path');
const { transform } = require('../../jest.config.js');

const [[, options]] = Object.values(transform);
const folder = process.env.TEST_COMPILED;
if (!folder) throw new Error('no test servers: run this through `npm test -- <path>`');
mkdirSync(folder, { recursive: true });

function compiled(filename) {
  const source = readFileSync(filename, 'utf8');
  const name = createHash('sha256').update(filename).update(source).digest('hex');
  const kept = path.join(folder, name);
  try {
    return readFileSync(kept, 'utf8');
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
  const { transformSync } = require('@swc/core');
  const { code } = transformSync(source, {
    ...options,
    filename,
    module: { type: 'commonjs' },
    swcrc: false,
  });
  // Others may do the same at the same time: what they read is whole.
  const own = `${kept}.${process.pid}`;
  writeFileSync(own, code);
  renameSync(own, kept);
  return code;
}

// oxlint-disable no-underscore-dangle -- the names that Node gives them
for (const extension of ['.ts', '.tsx']) {
  Module._extensions[extension] = (module, filename) =>
    module._compile(compiled(filename), filename);
}
