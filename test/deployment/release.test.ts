import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { VERSION } from '../../src/contract/version';
import { ROOT } from '../support/documents';

const release = (...args: string[]) =>
  spawnSync('npm', ['run', '--silent', 'release', '--', ...args], { cwd: ROOT, encoding: 'utf8' });

test('the dry run makes the files, and says of each part how it is', () => {
  const { status, stdout } = release('--dry-run');
  const states = Object.fromEntries(
    [...stdout.matchAll(/^(ok|skipped|missing) +(\S+)/gm)].map(([, state, part]) => [part, state]),
  );
  // The rest depends on the machine and on what is being worked on.
  expect(states).toMatchObject({
    version: 'ok',
    changelog: 'ok',
    pages: 'ok',
    licences: 'ok',
    openapi: 'ok',
    sbom: 'ok',
    'client-ts': 'ok',
  });
  const missing = Object.keys(states).filter((part) => states[part] === 'missing');
  const skipped = Object.keys(states).filter((part) => states[part] === 'skipped');
  const needed = ` A release needs what was skipped, too: ${skipped.join(', ')}.`;
  const last =
    missing.length > 0
      ? `Not a release yet: ${missing.join(', ')}.`
      : `Nothing is missing.${skipped.length > 0 ? needed : ''}`;
  expect([status, stdout.trim().split('\n').at(-1)]).toEqual([missing.length > 0 ? 1 : 0, last]);
  expect(stdout).toContain('No licence is granted yet: that is for the owner to decide.');

  const folder = join(ROOT, '.release', VERSION);
  const sums = readFileSync(join(folder, 'SHA256SUMS'), 'utf8').trim().split('\n');
  const files = readdirSync(folder).filter((file) => file !== 'SHA256SUMS');
  expect(sums.map((line) => line.split('  ')[1])).toEqual(files.toSorted());
  const [first = '', name = ''] = sums[0]?.split('  ') ?? [];
  const content = readFileSync(join(folder, name));
  expect(createHash('sha256').update(content).digest('hex')).toBe(first);
  expect(files).toEqual(
    expect.arrayContaining(['openapi.json', 'sbom.json', `pos-integrations-client-${VERSION}.tgz`]),
  );
  const { info } = JSON.parse(readFileSync(join(folder, 'openapi.json'), 'utf8')) as {
    info: { version: string };
  };
  expect(info.version).toBe(VERSION);
});

test('an option that it does not know makes nothing', () => {
  const { status, stdout, stderr } = release('--dry');
  expect([status, stdout, stderr]).toEqual([2, '', 'npm run release [-- --dry-run]\n']);
});
