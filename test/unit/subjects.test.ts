import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { filesIn } from '../support/source-files';

const ROOT = join(__dirname, '..', '..');
const SOURCE = join(ROOT, 'src');

/** The subjects in the order of the table in docs/architecture.md: each imports only those above it. */
function documentedSubjects(): readonly string[] {
  const text = readFileSync(join(ROOT, 'docs', 'architecture.md'), 'utf8');
  return [...text.matchAll(/^\| \[`src\/([a-z-]+)`\]/gm)].flatMap(([, subject]) => subject ?? []);
}

function sourceFiles(): readonly string[] {
  return filesIn(['src'], /\.tsx?$/).map((file) => relative('src', file));
}

/** Paths of a file's imports, relative to `src`; those outside begin with `..`. */
function importsOf(file: string): readonly string[] {
  const text = readFileSync(join(SOURCE, file), 'utf8');
  const specifiers = [...text.matchAll(/(?:from|import|import\()\s*'(\.[^']+)'/g)];
  return specifiers.map(([, path]) =>
    relative(SOURCE, join(SOURCE, dirname(file), path ?? '')).replaceAll('\\', '/'),
  );
}

const subjectOf = (path: string): string => path.replaceAll('\\', '/').split('/')[0] ?? '';

test('every subject of the source is in the table of the architecture', () => {
  const folders = new Set(sourceFiles().map(subjectOf));
  expect(documentedSubjects().toSorted()).toEqual([...folders].toSorted());
});

test('a subject imports only subjects above it in the table, so no two import each other', () => {
  const subjects = documentedSubjects();
  const rank = new Map(subjects.map((subject, index) => [subject, index]));
  const wrong = sourceFiles().flatMap((file) =>
    importsOf(file)
      .filter((path) => !path.startsWith('..') && subjectOf(path) !== subjectOf(file))
      .filter(
        (path) => !((rank.get(subjectOf(path)) ?? Infinity) < (rank.get(subjectOf(file)) ?? -1)),
      )
      .map((path) => `${file} imports ${path}`),
  );
  expect(sourceFiles().length).toBeGreaterThan(100);
  expect(wrong).toEqual([]);
});

test('only the assembly code knows workflows and activities', () => {
  const wrong = sourceFiles().flatMap((file) =>
    importsOf(file)
      .filter((path) => /^\.\.\/(activities|workflows)\//.test(path) && subjectOf(file) !== 'run')
      .map((path) => `${file} imports ${path}`),
  );
  expect(wrong).toEqual([]);
});
