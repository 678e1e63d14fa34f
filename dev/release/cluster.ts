import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { Finding } from './finding';
import { run } from './release-files';

const OVERLAYS = ['trial', 'production'];
/** What says nothing against a manifest. */
const HARMLESS = [
  // Of a kind that only the operator of Prometheus brings.
  /no matches for kind "PodMonitor"|ensure CRDs are installed first/,
  // An earlier release is there. This is said last: of an object in which something is wrong, that is said instead.
  /\(AlreadyExists\)/,
];

/**
 * Whether a real API server would make what the manifests describe, without a warning; it is only asked
 * (`--dry-run=server`), in the namespace of the context. Made anew and not applied: jobs of an earlier release cannot be
 * changed. Skipped where there is no kubectl or no server that answers.
 */
export function judgeManifests(root: string): Finding {
  const part = 'cluster';
  const asked = run(root, 'kubectl', 'version', '--request-timeout=5s');
  if (!asked.ok) return { part, state: 'skipped', says: `no API server answers: ${asked.says}` };
  const refused = OVERLAYS.flatMap((overlay) => {
    const folder = join('ops', 'kubernetes', 'overlays', overlay);
    const built = run(root, 'kubectl', 'kustomize', folder);
    if (!built.ok) return [`${overlay}: ${built.says}`];
    const { stderr } = spawnSync('kubectl', ['create', '--dry-run=server', '-f', '-'], {
      input: built.stdout,
      encoding: 'utf8',
    });
    // What is said of the namespace is said of each object.
    const lines = [...new Set(stderr.trim().split('\n'))];
    return lines
      .filter((line) => line !== '' && !HARMLESS.some((words) => words.test(line)))
      .map((line) => `${overlay}: ${line}`);
  });
  return refused.length === 0
    ? { part, state: 'ok', says: `the API server takes ${OVERLAYS.join(' and ')}` }
    : { part, state: 'missing', says: refused.join('; ') };
}
