import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../support/documents';

// Without it a quiet process throws away what it has compiled: docs/decisions/0046-quiet-processes-keep-their-code.md.
test.each([
  ['Dockerfile', 1],
  ['docker-compose.yml', 2],
  ['ops/kubernetes/api.yaml', 1],
  ['ops/kubernetes/worker.yaml', 1],
  ['docs/deployment.md', 2],
])('%s starts API and worker with --no-memory-reducer', (file, count) => {
  const lines = readFileSync(join(ROOT, file), 'utf8').split('\n');
  const starts = lines.filter((line) => /bin\/(api|worker)\.js/.test(line));
  expect(starts).toHaveLength(count);
  expect(starts.filter((line) => !line.includes('--no-memory-reducer'))).toEqual([]);
});
