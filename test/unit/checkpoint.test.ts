import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHECKPOINTS } from '../../src/platform/checkpoint';

const TESTS = join(__dirname, '..');

test('at every checkpoint some test lets a process die or stall', () => {
  const texts = ['faults', 'activities', 'changes']
    .flatMap((folder) => readdirSync(join(TESTS, folder)).map((name) => join(TESTS, folder, name)))
    .filter((path) => path.endsWith('.test.ts'))
    .map((path) => readFileSync(path, 'utf8'));
  const untried = CHECKPOINTS.filter((name) => !texts.some((text) => text.includes(`'${name}'`)));
  expect(untried).toEqual([]);
});
