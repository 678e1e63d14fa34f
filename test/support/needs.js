const { existsSync, readFileSync, statSync } = require('node:fs');
const path = require('node:path');

const ROOT = path.join(__dirname, '..', '..');
/** What tests import of these folders counts; nothing in `src` starts a server for a test. */
const FOLLOWED = ['test', 'dev', 'bench'].map((folder) => path.join(ROOT, folder) + path.sep);

/** A module that reads one of these is given it by the run (`global-setup.ts`), so whoever imports it needs that. */
const NEEDS = {
  TEST_DATABASE_ADMIN_URL: 'postgres',
  TEST_TEMPORAL_ADDRESS: 'temporal',
  TEST_WORKFLOW_BUNDLE: 'bundle',
};
/** Modules that start servers of their own. */
const STARTERS = [
  'dev/postgres/embedded-postgres.ts',
  'dev/temporal/temporal-server.ts',
  'test/support/demo.ts',
].map((file) => path.join(ROOT, file));

const IMPORT =
  /^(?:import|export)\s(?!type\s)[^;']*?from '(\.[^']+)'|^import '(\.[^']+)'|\b(?:require|import)\('(\.[^']+)'\)/gm;
/** By file: its own needs and the files that it imports. */
const read = new Map();

function readModule(file) {
  if (read.has(file)) return read.get(file);
  const text = readFileSync(file, 'utf8');
  const needs = Object.keys(NEEDS)
    .filter((name) => text.includes(`process.env['${name}']`))
    .map((name) => NEEDS[name]);
  if (STARTERS.includes(file)) needs.push('own servers');
  const imports = [...text.matchAll(IMPORT)]
    .map(([, ...name]) => resolve(path.dirname(file), name.find(Boolean)))
    .filter((each) => each !== undefined && FOLLOWED.some((folder) => each.startsWith(folder)));
  const found = { needs, imports };
  read.set(file, found);
  return found;
}

function resolve(folder, name) {
  const base = path.join(folder, name);
  return [base, `${base}.ts`, `${base}.tsx`, `${base}.js`, path.join(base, 'index.ts')].find(
    (each) => existsSync(each) && statSync(each).isFile(),
  );
}

/**
 * What a test file needs, told by what it imports, directly or not: of `postgres`, `temporal`, `bundle` (the bundled
 * workflows) and `own servers`.
 */
function needsOf(testFile) {
  const needs = new Set();
  const seen = new Set([testFile]);
  for (const file of seen) {
    const found = readModule(file);
    for (const need of found.needs) needs.add(need);
    for (const each of found.imports) seen.add(each);
  }
  return needs;
}

module.exports = { needsOf };
