import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Finding } from './finding';

/** How each part of the night ended last, as dev/checks/run-nightly.mjs notes it. */
type Nights = Readonly<Record<string, { readonly commit: string; readonly ok: boolean }>>;

const NIGHT = 'npm run test:nightly';

/** Whether all work is committed, and the version not given away yet. */
export function judgeGit(root: string, version: string): Finding {
  const part = 'git';
  const commit = git(root, 'rev-parse', 'HEAD');
  if (commit === undefined) return { part, state: 'missing', says: 'no commit here' };
  const changed = git(root, 'status', '--porcelain')?.split('\n') ?? [];
  const lines = changed.filter((line) => line !== '');
  if (lines.length > 0) {
    const more = lines.length > 1 ? `, and ${lines.length - 1} more` : '';
    return { part, state: 'missing', says: `not committed: ${lines[0]}${more}` };
  }
  const tagged = git(root, 'rev-list', '-n', '1', tagOf(version));
  if (tagged !== undefined && tagged !== commit) {
    return { part, state: 'missing', says: `${tagOf(version)} is another commit, ${tagged}` };
  }
  return { part, state: 'ok', says: `clean at ${commit}` };
}

/** Whether each part of the night succeeded at this commit. */
export function judgeNights(root: string): Finding {
  const part = 'night';
  const parts = Object.keys(readJson(root, 'test/nightly.json') as object);
  const ended = join('.test-results', 'nightly', 'ended.json');
  const nights = existsSync(join(root, ended)) ? (readJson(root, ended) as Nights) : {};
  const commit = git(root, 'rev-parse', 'HEAD');
  const here = parts.filter((each) => nights[each]?.commit === commit);
  const failed = here.filter((each) => !nights[each]?.ok);
  if (failed.length > 0) {
    return { part, state: 'missing', says: `failed at this commit: ${failed.join(', ')}` };
  }
  const left = parts.filter((each) => !here.includes(each));
  return left.length > 0
    ? { part, state: 'skipped', says: `not run at this commit (${NIGHT}): ${left.join(', ')}` }
    : { part, state: 'ok', says: `all ${parts.length} parts succeeded at this commit` };
}

/** Marks the commit as the release; throws git's own words if it cannot. */
export function tagRelease(root: string, version: string): void {
  const args = ['tag', '--annotate', tagOf(version), '--message', `Release ${version}`];
  const { status, stderr, error } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error(`git tag failed: ${error?.message ?? stderr}`);
}

export const tagOf = (version: string): string => `v${version}`;

/** What git answers, undefined where it fails or is missing. */
function git(root: string, ...args: readonly string[]): string | undefined {
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}

function readJson(root: string, file: string): unknown {
  return JSON.parse(readFileSync(join(root, file), 'utf8'));
}
