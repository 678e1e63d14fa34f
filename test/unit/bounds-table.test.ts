import { readFileSync } from 'node:fs';
import { Registry } from 'prom-client';
import { BOUNDS_DOCS, withBounds } from '../../dev/docs/write-bounds-docs';
import type { BoundRow } from '../../src/platform/admission/bound-row';
import { type BoundName, BOUNDS } from '../../src/platform/admission/bounds';
import { createBounds, onceAMinute } from '../../src/platform/admission/bound-metrics';
import { SETTINGS } from '../../src/platform/config/settings';

const rows = Object.entries<BoundRow>(BOUNDS) as [BoundName, BoundRow][];

test.each(rows)('%s has a key, a limit and an answer', (_name, row) => {
  for (const said of [row.key, row.what, row.answer]) {
    expect(said).toMatch(/\S/);
  }
  expect((row.limit ?? 0) > 0 || (row.setting ?? '') in SETTINGS).toBe(true);
});

test('docs/bounds.md lists the bounds as the code has them (update it with npx tsx dev/docs/write-bounds-docs.ts)', () => {
  const page = readFileSync(BOUNDS_DOCS, 'utf8');
  expect(withBounds(page)).toBe(page);
  expect(() => withBounds('# A page')).toThrow('bounds');
});

test('a bound that is reached is told once a minute for each key, of 20 keys at most', () => {
  let now = 0;
  const told: string[] = [];
  const onHit = onceAMinute(
    ({ bound, key }) => told.push(`${bound} ${key}`),
    () => now,
  );
  const bound = createBounds(new Registry(), onHit).declare('body_memory', { limit: 1 });
  for (const key of ['A', 'A', 'B', undefined]) bound.hit(key);
  expect(told).toEqual(['body_memory A', 'body_memory B']);
  for (let n = 0; n < 100; n += 1) bound.hit(`${n}`);
  expect(told).toHaveLength(20);
  now = 60_000;
  bound.hit('A');
  expect(told).toHaveLength(21);
});
