import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { GUARANTEES_DOCS, guaranteesPage } from '../../dev/docs/write-guarantees-docs';
import { GUARANTEES } from '../guarantees';

const root = path.join(__dirname, '..', '..');
const proofs = GUARANTEES.flatMap(({ promise, proofs: all }) =>
  all.map((proof) => ({ promise, ...proof })),
);

test.each(proofs)('"$promise" is proved in $file', ({ file, titles = [] }) => {
  const absolute = path.join(root, file);
  expect(existsSync(absolute)).toBe(true);
  const source = readFileSync(absolute, 'utf8');
  expect(titles.filter((title) => !source.includes(title))).toEqual([]);
});

test('docs/guarantees.md matches the list of guarantees', () => {
  expect(readFileSync(GUARANTEES_DOCS, 'utf8')).toBe(guaranteesPage());
});
