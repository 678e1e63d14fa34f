import { existsSync, readFileSync, statSync } from 'node:fs';
import { filesIn, PROGRAM } from '../support/source-files';
import { dirname, join, relative } from 'node:path';
import { documents, ROOT } from '../support/documents';

/** Text that is neither a block of code nor code within a line. */
function prose(text: string): string {
  return text
    .replace(/^```[\s\S]*?^```/gm, '')
    .replace(/`[^`\n]*`/g, (code) => (code.includes('](') ? '' : code));
}

interface Link {
  readonly file: string;
  readonly path: string;
  readonly anchor: string;
}

function linksOf(file: string): readonly Link[] {
  const text = prose(readFileSync(join(ROOT, file), 'utf8'));
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target]) => target ?? '')
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => {
      const [path = '', anchor = ''] = target.split('#');
      return {
        file,
        path: path === '' ? file : relative(ROOT, join(ROOT, dirname(file), path)),
        anchor,
      };
    });
}

/** The anchors of headings as GitHub makes them; of all levels, or of one. */
function anchorsOf(file: string, level = '#+'): ReadonlySet<string> {
  const text = readFileSync(join(ROOT, file), 'utf8').replace(/^```[\s\S]*?^```/gm, '');
  const headings = [...text.matchAll(new RegExp(`^${level} (.+)$`, 'gm'))].map(
    ([, heading]) => heading ?? '',
  );
  return new Set(
    headings.map((heading) =>
      heading
        .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .trim()
        .replaceAll(' ', '-'),
    ),
  );
}

const LINKS = documents().flatMap(linksOf);

test('every file that a document links to exists', () => {
  expect(LINKS.length).toBeGreaterThan(50);
  const broken = LINKS.filter(({ path }) => !existsSync(join(ROOT, path)));
  expect(broken.map(({ file, path }) => `${file}: ${path}`)).toEqual([]);
});

test('every heading that a document links to exists', () => {
  const broken = LINKS.filter(
    ({ path, anchor }) =>
      anchor !== '' &&
      path.endsWith('.md') &&
      existsSync(join(ROOT, path)) &&
      statSync(join(ROOT, path)).isFile() &&
      !anchorsOf(path).has(anchor),
  );
  expect(broken.map(({ file, path, anchor }) => `${file}: ${path}#${anchor}`)).toEqual([]);
});

test('every source file that a document names exists', () => {
  // The guide names the files of an app that its reader makes.
  const named = documents()
    .filter((file) => file.startsWith('docs') && !file.endsWith('adding-a-delivery-app.md'))
    .flatMap((file) => {
      const text = readFileSync(join(ROOT, file), 'utf8');
      const paths = text.matchAll(
        /`((?:src|workflows|activities|schemas|bench|dev|test)\/[\w./-]+)`/g,
      );
      return [...paths].map(([, path]) => ({ file, path: path ?? '' }));
    });
  expect(named.length).toBeGreaterThan(10);
  const gone = named.filter(({ path }) => !existsSync(join(ROOT, path)));
  expect(gone.map(({ file, path }) => `${file}: ${path}`)).toEqual([]);
});

test('each cited section is one of a standard, or of a file that exists', () => {
  const files = filesIn([...PROGRAM, 'bench', 'dev', 'test'], /\.(?:tsx?|mjs|sql)$/);
  const citations = [...files, ...documents()].flatMap((file) => {
    const text = readFileSync(join(ROOT, file), 'utf8');
    return [...text.matchAll(/[^§\n]*\S(?= ?§\d)/g)].map(([before]) => ({ file, before }));
  });
  expect(citations.length).toBeGreaterThan(3);
  const broken = citations.filter(({ before }) => {
    if (/\b(?:RFC \d+|NIST SP [\w-]+)$/.test(before)) return false;
    const [path = ''] = /[\w./-]*\w$/.exec(before) ?? [];
    return !path.includes('.') || !existsSync(join(ROOT, path));
  });
  expect(broken.map(({ file, before }) => `${file}: ${before}§`)).toEqual([]);
});

test('every document that the program names exists', () => {
  const pages = [...documents(), ...filesIn(PROGRAM, /\.md$/)];
  const named = filesIn(PROGRAM, /\.tsx?$/).flatMap((file) => {
    const text = readFileSync(join(ROOT, file), 'utf8');
    return [...text.matchAll(/[\w./-]+\.md\b/g)].map(([path]) => ({ file, path }));
  });
  expect(named.length).toBeGreaterThan(5);
  const gone = named.filter(({ path }) => !pages.some((page) => `/${page}`.endsWith(`/${path}`)));
  expect(gone.map(({ file, path }) => `${file}: ${path}`)).toEqual([]);
});

test.each(['docs/api.md', 'docs/runbook.md'])(
  'the contents of %s lead to each of its sections',
  (file) => {
    const [contents = ''] = readFileSync(join(ROOT, file), 'utf8').split('\n## ');
    const named = [...contents.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor]) => anchor);
    expect([...anchorsOf(file, '##')].filter((anchor) => !named.includes(anchor))).toEqual([]);
  },
);
