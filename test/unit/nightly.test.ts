import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../support/documents';

interface Part {
  readonly about: string;
  readonly files: readonly string[];
  readonly commands: readonly string[];
}

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
const each = Object.entries(JSON.parse(read('test/nightly.json')) as Record<string, Part>);

test('every file that is left to the night exists, in one part', () => {
  const files = each.flatMap(([, { files: own }]) => own);
  expect(files.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  expect(files).toHaveLength(new Set(files).size);
});

test('every command of the night exists', () => {
  const unknown = each
    .flatMap(([, { commands }]) => commands)
    .filter((command) => {
      const [, script, program] = /^npm run (\S+)|^npx tsx (\S+)/.exec(command) ?? [];
      return !(script && scripts[script]) && !(program && existsSync(join(ROOT, program)));
    });
  expect(unknown).toEqual([]);
});

test.each(each)('docs/contributor.md says what the part %s tries', (part, { about }) => {
  const page = read('docs/contributor.md');
  const [what, time] = about.split(/: (?=\d+ min$)/);
  expect(page.replaceAll(/ +/g, ' ')).toContain(`| \`${part}\` | ${what} | ${time} |`);
});
