import { readFileSync } from 'node:fs';
import { testWorkflowBundle } from '../support/workflow-bundle';

/** How webpack heads each module; a query after the name is a loader's. */
const MODULE = /^\/\*{3}\/ "\.\/([^"?]+)/gm;

/** The Temporal runtime of the sandbox, and its parts. */
const PACKAGES = new Set(['@temporalio/common', '@temporalio/workflow', 'nexus-rpc', 'long', 'ms']);

function modules(): string[] {
  const bundle = testWorkflowBundle();
  const code = 'codePath' in bundle ? readFileSync(bundle.codePath, 'utf8') : bundle.code;
  return [...code.matchAll(MODULE)].map((match) => match[1] ?? '');
}

/** Pure files that workflows may run, the same as in the lint rule for workflows. */
const PURE =
  /^(workflows|schemas)\/|^src\/(platform\/temporal\/workflow-names|uploads\/upload-retries|webhooks\/shard-report)\.ts$/;

test('of our own code, workflows contain only workflows, schemas and the pure files that lint allows', () => {
  const ours = modules().filter((name) => !name.startsWith('node_modules/'));
  expect(ours).toEqual(expect.arrayContaining(['workflows/menu-publication.ts']));
  expect(ours.filter((name) => !PURE.test(name))).toEqual([]);
});

test('of packages, workflows contain only the Temporal runtime', () => {
  const theirs = modules().flatMap(
    (name) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(name)?.[1] ?? [],
  );
  expect(theirs).toEqual(expect.arrayContaining(['@temporalio/workflow']));
  expect([...new Set(theirs)].filter((name) => !PACKAGES.has(name))).toEqual([]);
});
