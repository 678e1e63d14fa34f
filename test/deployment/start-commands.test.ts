import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { START_ENVIRONMENT, START_OPTIONS } from '../../dev/processes/start-options';
import { ROOT } from '../support/documents';

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');

// What is missing costs CPU or memory, and nothing else would tell.
test.each([
  ['Dockerfile', ['api']],
  ['docker-compose.yml', ['api', 'worker']],
  ['ops/kubernetes/base/api.yaml', ['api']],
  ['ops/kubernetes/base/worker.yaml', ['worker']],
  ['docs/deployment.md', ['api', 'worker']],
] as const)('%s starts its processes with the options of production', (file, programs) => {
  const starts = read(file).matchAll(/^(?<options>.*)bin\/(?<program>api|worker)\.js/gm);
  const found = [...starts].map(({ groups }) => ({
    program: groups?.['program'],
    options: groups?.['options']?.match(/--(no|max)-[\w=-]+/g),
  }));
  expect(found).toEqual(programs.map((program) => ({ program, options: START_OPTIONS[program] })));
});

test.each(['Dockerfile', 'docs/deployment.md'])('%s sets the environment of production', (file) => {
  for (const [name, value] of Object.entries(START_ENVIRONMENT)) {
    expect(read(file)).toMatch(new RegExp(`^(ENV|export) .*\\b${name}=${value}\\b`, 'm'));
  }
});
