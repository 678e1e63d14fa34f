import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const ROOT = join(__dirname, '..', '..');
const SOURCE = join(ROOT, 'src');

/** The rooms in the order of the table in docs/architecture.md: each imports only those above it. */
function documentedRooms(): readonly string[] {
  const text = readFileSync(join(ROOT, 'docs', 'architecture.md'), 'utf8');
  return [...text.matchAll(/^\| \[`src\/([a-z-]+)`\]/gm)].flatMap(([, room]) => room ?? []);
}

function sourceFiles(): readonly string[] {
  return readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.tsx?$/.test(file),
  );
}

/** Paths of a file's imports, relative to `src`; those outside begin with `..`. */
function importsOf(file: string): readonly string[] {
  const text = readFileSync(join(SOURCE, file), 'utf8');
  const specifiers = [...text.matchAll(/(?:from|import|import\()\s*'(\.[^']+)'/g)];
  return specifiers.map(([, path]) =>
    relative(SOURCE, join(SOURCE, dirname(file), path ?? '')).replaceAll('\\', '/'),
  );
}

const roomOf = (path: string): string => path.replaceAll('\\', '/').split('/')[0] ?? '';

test('every room of the source is in the table of the architecture', () => {
  const folders = new Set(sourceFiles().map(roomOf));
  expect(documentedRooms().toSorted()).toEqual([...folders].toSorted());
});

test('a room imports only rooms above it in the table, so no two import each other', () => {
  const rooms = documentedRooms();
  const place = new Map(rooms.map((room, index) => [room, index]));
  const wrong = sourceFiles().flatMap((file) =>
    importsOf(file)
      .filter((path) => !path.startsWith('..') && roomOf(path) !== roomOf(file))
      .filter((path) => !((place.get(roomOf(path)) ?? Infinity) < (place.get(roomOf(file)) ?? -1)))
      .map((path) => `${file} imports ${path}`),
  );
  expect(sourceFiles().length).toBeGreaterThan(100);
  expect(wrong).toEqual([]);
});

test('only the assembly code knows workflows and activities', () => {
  const wrong = sourceFiles().flatMap((file) =>
    importsOf(file)
      .filter((path) => /^\.\.\/(activities|workflows)\//.test(path) && roomOf(file) !== 'run')
      .map((path) => `${file} imports ${path}`),
  );
  expect(wrong).toEqual([]);
});
