import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { Finding } from './finding';
import { run } from './release-files';

const OVERLAYS = ['trial', 'production'];
/** What is said of a kind that only an operator of Prometheus brings. */
const WITHOUT_OPERATOR = /no matches for kind "PodMonitor"|ensure CRDs are installed first/;

/**
 * Whether a real API server takes the manifests; it only looks at them (`--dry-run=server`) and keeps nothing. Skipped
 * where there is no kubectl or no server that answers.
 */
export function judgeManifests(root: string): Finding {
  const part = 'cluster';
  const asked = run(root, 'kubectl', 'version', '--request-timeout=5s');
  if (!asked.ok) return { part, state: 'skipped', says: `no API server answers: ${asked.says}` };
  const refused = OVERLAYS.flatMap((overlay) => {
    const folder = join('ops', 'kubernetes', 'overlays', overlay);
    const built = run(root, 'kubectl', 'kustomize', folder);
    if (!built.ok) return [`${overlay}: ${built.says}`];
    const { status, stderr } = spawnSync('kubectl', ['apply', '--dry-run=server', '-f', '-'], {
      input: built.stdout,
      encoding: 'utf8',
    });
    const lines = stderr.trim().split('\n');
    const troubles = lines.filter((line) => line !== '' && !WITHOUT_OPERATOR.test(line));
    return status === 0 ? [] : troubles.map((line) => `${overlay}: ${line}`);
  });
  return refused.length === 0
    ? { part, state: 'ok', says: `the API server takes ${OVERLAYS.join(' and ')}` }
    : { part, state: 'missing', says: refused.join('; ') };
}
