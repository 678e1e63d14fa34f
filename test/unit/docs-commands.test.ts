import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandBlocks } from '../support/docs-commands';

const ROOT = join(__dirname, '../..');
const PAGES = [
  'README.md',
  'docs/integrator.md',
  'docs/receiver.md',
  'docs/operator.md',
  'docs/contributor.md',
  'docs/adding-a-delivery-app.md',
  'docs/deployment.md',
  'docs/guarantees.md',
  'docs/mutation.md',
  'docs/runbook.md',
  'docs/scaling.md',
  'docs/upgrading.md',
  'dev/sandbox/README.md',
  'clients/typescript/README.md',
  'clients/python/README.md',
  'clients/collection/README.md',
];
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};
const client = JSON.parse(
  readFileSync(join(ROOT, 'clients/typescript/package.json'), 'utf8'),
) as typeof scripts & { scripts: Record<string, string> };

function allOf(page: string, pattern: RegExp): readonly string[] {
  const text = readFileSync(join(ROOT, page), 'utf8');
  return [...text.matchAll(pattern)].map(([, found]) => found ?? '');
}

test.each(PAGES)('every npm script that %s names exists', (page) => {
  const named = allOf(page, /npm run ([\w:-]+)/g);
  const known = { ...scripts, ...client.scripts };
  expect(named.filter((name) => known[name] === undefined)).toEqual([]);
});

test.each(PAGES)('every program that %s names exists', (page) => {
  const built = allOf(page, /node dist\/(src\/bin\/[\w-]+)\.js/g).map((path) => `${path}.ts`);
  const sources = allOf(page, /(?:npx tsx|node) ((?:dev|bench|docs)\/[\w./-]+\.m?[jt]s)/g);
  expect([...built, ...sources].filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});

test.each(PAGES)('every file that a command of %s names exists', (page) => {
  const files = commandBlocks(page)
    .flatMap((block) => [...block.matchAll(/[\s@]((?:bench|dev|docs|ops|src|test)\/[\w./-]+)/g)])
    .map(([, path = '']) => path)
    // The guide of a new app has its reader make these.
    .filter((path) => !path.includes('app-e'));
  expect(files.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});

test('the README is short, and its first commands are all that a newcomer needs', () => {
  expect(readFileSync(join(ROOT, 'README.md'), 'utf8').split('\n').length).toBeLessThan(200);
  expect(commandBlocks('README.md')[0]).toMatch(/^npm start .*\nnpm test .*\n$/);
});
