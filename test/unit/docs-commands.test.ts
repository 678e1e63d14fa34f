import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandBlocks } from '../support/docs-commands';
import {
  blocksFor,
  LEDGER,
  pagesFor,
  PLAYERS,
  playerOf,
  RUN_ELSEWHERE,
  scriptLines,
} from '../support/docs-ledger';
import { documents, ROOT } from '../support/documents';

const PAGES = documents().filter((page) => !/^(CHANGELOG|docs.decisions)/.test(page));
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

test.each(documents())('every block of commands in %s has its player', (page) => {
  const blocks = commandBlocks(page);
  const unplayed = blocks.filter((block) => playerOf(page, block) === undefined);
  expect(unplayed.map(({ commands }) => commands)).toEqual([]);
  // Another name for the same would go unnoticed.
  expect(readFileSync(join(ROOT, page), 'utf8')).not.toMatch(
    /^ *```(bash|shell|console|zsh|powershell)\b|^ +```sh\b/m,
  );
});

test.each(Object.entries(LEDGER))(
  'the ledger of %s names no block that is gone',
  (page, entries) => {
    const unused = entries.filter(
      ([begins]) => !commandBlocks(page).some(({ commands }) => commands.startsWith(begins)),
    );
    expect(unused).toEqual([]);
  },
);

test('what the night leaves to others is still in the pages, and it runs the rest', () => {
  const lines = scriptLines().map(({ line }) => line);
  expect(Object.keys(RUN_ELSEWHERE).filter((line) => !lines.includes(line))).toEqual([]);
  expect(lines.filter((line) => !(line in RUN_ELSEWHERE)).length).toBeGreaterThan(2);
});

/** The sentence with which a page says how long its commands take. */
const saysHowLong = (text: string): boolean =>
  /\*\*How\slong\*\*:\s[^]*?\b(seconds?|minutes?|hours?)\b/.test(text);

test.each(PAGES.filter((page) => commandBlocks(page).length > 0))(
  '%s says how long its commands take',
  (page) => {
    expect(saysHowLong(readFileSync(join(ROOT, page), 'utf8'))).toBe(true);
  },
);

test('a page that says nothing about time, or no time at all, is found', () => {
  expect(saysHowLong('It takes two minutes.')).toBe(false);
  expect(saysHowLong('**How long**: not long.')).toBe(false);
  expect(saysHowLong('**How\nlong**: ten seconds.')).toBe(true);
});

test.each(Object.entries(PLAYERS))(
  'who plays `%s` takes its pages from the ledger',
  (name, file) => {
    const words = [...readFileSync(join(ROOT, file), 'utf8').matchAll(/\w+For\('(\w+)'/g)];
    expect(words.map(([, player]) => player)).toContain(name);
  },
);

describe.each(pagesFor('scripts'))('the commands of %s', (page) => {
  const lines = blocksFor('scripts', page).flatMap(({ commands }) => commands.trim().split('\n'));

  test.each(lines)('%s', (line) => {
    const [words = ''] = line.split(/\s+#/);
    const [, named, file, rest = ''] =
      /^(?:npm (?:run )?([\w:-]+)|npx tsx (\S+))(?: (?:-- )?(.*))?$/.exec(words.trim()) ?? [];
    const program = file ?? programOf(scripts[named ?? ''] ?? '');
    const known = readFileSync(join(ROOT, program), 'utf8');
    const options = [...rest.matchAll(/--([\w-]+)/g)].map(([, option = '']) => option);
    expect(options.filter((option) => !known.includes(option))).toEqual([]);
  });
});

/** The file that a script runs, which knows its options. */
function programOf(script: string): string {
  if (script === 'oxfmt .') return 'package.json';
  if (script === 'stryker run') return 'node_modules/@stryker-mutator/core/dist/src/stryker-cli.js';
  return script.split(' ').find((word) => word.includes('/')) ?? '';
}

test.each(PAGES)('every npm script that %s names exists', (page) => {
  const named = allOf(page, /npm run (?:--silent )?([\w:-]+)/g);
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
    .flatMap(({ commands }) => [
      ...commands.matchAll(/[\s@]((?:bench|dev|docs|ops|src|test)\/[\w./-]+)/g),
    ])
    .map(([, path = '']) => path)
    // The guide of a new app has its reader make these.
    .filter((path) => !path.includes('app-e'));
  expect(files.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});

test('the README is short, and its first commands are all that a newcomer needs', () => {
  expect(readFileSync(join(ROOT, 'README.md'), 'utf8').split('\n').length).toBeLessThan(200);
  expect(commandBlocks('README.md')[0]?.commands).toMatch(/^npm start .*\nnpm test .*\n$/);
});
