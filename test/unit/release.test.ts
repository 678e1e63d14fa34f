import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { judgeManifests } from '../../dev/release/cluster';
import { blockers, type Finding, linesOf } from '../../dev/release/finding';
import { judgeGit, judgeNights, tagRelease } from '../../dev/release/git-state';
import { changelogTroubles, judgeWrittenState, versionOf } from '../../dev/release/written-state';
import { VERSION } from '../../src/contract/version';
import { ROOT } from '../support/documents';

const FILES = [
  'package.json',
  'package-lock.json',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'docker-compose.yml',
  '.github/pull_request_template.md',
  'docs/support-policy.md',
  'docs/upgrading.md',
  'clients/typescript/package.json',
  'clients/typescript/README.md',
  'clients/python/pyproject.toml',
  'src/contract/version.ts',
  'ops/kubernetes',
  'test/nightly.json',
];

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'release-'));
  for (const path of FILES) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    cpSync(join(ROOT, path), join(directory, path), { recursive: true });
  }
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const change = (file: string, from: RegExp | string, to: string) => {
  const path = join(directory, file);
  const before = readFileSync(path, 'utf8');
  const after = before.replace(from, to);
  expect(after).not.toBe(before);
  writeFileSync(path, after);
};
const found = (findings: readonly Finding[], part: string) =>
  findings.find((each) => each.part === part);

const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.com', ...args], {
    cwd: directory,
    encoding: 'utf8',
  }).trim();
const commit = () => {
  git('add', '--all');
  git('commit', '--quiet', '--message', 'all', '--allow-empty');
  return git('rev-parse', 'HEAD');
};
const notes = (ended: object) => {
  const folder = join(directory, '.test-results', 'nightly');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'ended.json'), JSON.stringify(ended));
};

describe('what is written', () => {
  test('has one version, its section of the changelog, the pages and allowed licences', () => {
    const findings = judgeWrittenState(ROOT);
    expect(findings.filter(({ state }) => state !== 'ok')).toEqual([]);
    expect(findings.map(({ part }) => part)).toEqual(['version', 'changelog', 'pages', 'licences']);
    expect(versionOf(ROOT)).toBe(VERSION);
  });

  test.each([
    ['package-lock.json', `"name": "pos-integrations",\n  "version": "${VERSION}"`],
    ['package-lock.json', `"name": "pos-integrations-client",\n      "version": "${VERSION}"`],
    ['clients/typescript/package.json', `"version": "${VERSION}"`],
    ['clients/typescript/README.md', `client-${VERSION}.tgz`],
    ['clients/python/pyproject.toml', `version = "${VERSION}"`],
    ['src/contract/version.ts', `'${VERSION}'`],
    ['docker-compose.yml', `image: pos-integrations:${VERSION}`],
  ])('another version in %s is found: %j', (file, text) => {
    change(file, text, text.replace(VERSION, '0.9.9'));
    const finding = found(judgeWrittenState(directory), 'version');
    expect(finding).toMatchObject({ state: 'missing', says: `${file} has 0.9.9` });
  });

  test('a page that is gone and a licence that is not allowed are found', () => {
    rmSync(join(directory, 'SECURITY.md'));
    change('package-lock.json', '"license": "MIT"', '"license": "SSPL-1.0"');
    const findings = judgeWrittenState(directory);
    expect(found(findings, 'pages')?.says).toBe('no SECURITY.md');
    expect(found(findings, 'licences')?.says).toMatch(/^\S+@\S+: SSPL-1\.0$/);
  });

  test.each([
    ['## 1.0.0\n\n- One.\n', []],
    ['## Unreleased\n\n## 1.0.0\n\n- One.\n', []],
    ['## Unreleased\n\n- Two.\n\n## 1.0.0\n\n- One.\n', ['lines stand under Unreleased']],
    ['## 0.1.0\n\n- One.\n', ['no section 1.0.0']],
    ['## 1.0.0\n\n## 0.1.0\n\n- One.\n', ['no section 1.0.0']],
    ['## 1.1.0\n\n- Two.\n\n## 1.0.0\n\n- One.\n', ['1.1.0 stands before 1.0.0']],
  ])('the changelog %j: %j', (text, troubles) => {
    expect(changelogTroubles(`# Changelog\n\n${text}`, '1.0.0')).toEqual(troubles);
  });
});

describe('git', () => {
  beforeEach(() => {
    git('init', '--quiet');
    git('config', 'user.name', 'T');
    git('config', 'user.email', 't@example.com');
  });

  test('a folder without a commit, work that is not committed and a version that is taken are found', () => {
    expect(judgeGit(directory, '1.0.0').says).toBe('no commit here');
    const first = commit();
    expect(judgeGit(directory, '1.0.0')).toMatchObject({ state: 'ok', says: `clean at ${first}` });
    writeFileSync(join(directory, 'more'), '');
    expect(judgeGit(directory, '1.0.0').says).toBe('not committed: ?? more');
    tagRelease(directory, '1.0.0');
    commit();
    expect(judgeGit(directory, '1.0.0').says).toBe(`v1.0.0 is another commit, ${first}`);
    expect(() => tagRelease(directory, '1.0.0')).toThrow("tag 'v1.0.0' already exists");
  });

  test('the night counts at this commit alone, and a part that failed is missing', () => {
    const here = commit();
    expect(judgeNights(directory).state).toBe('skipped');
    const parts = JSON.parse(readFileSync(join(ROOT, 'test/nightly.json'), 'utf8')) as object;
    const all = Object.fromEntries(
      Object.keys(parts).map((part) => [part, { commit: here, ok: true }]),
    );
    notes(all);
    expect(judgeNights(directory).state).toBe('ok');
    notes({ ...all, fuzz: { commit: 'another', ok: true } });
    expect(judgeNights(directory).says).toBe('not run at this commit (npm run test:nightly): fuzz');
    notes({ ...all, fuzz: { commit: here, ok: false } });
    expect(judgeNights(directory)).toMatchObject({ state: 'missing', part: 'night' });
  });
});

/** A kubectl that does so. */
const kubectl = (lines: readonly string[]) => {
  const bin = join(directory, 'bin');
  mkdirSync(bin, { recursive: true });
  const script = ['#!/bin/sh', ...lines].join('\n');
  writeFileSync(join(bin, 'kubectl'), script, { mode: 0o755 });
  process.env['PATH'] = `${bin}:/bin:/usr/bin`;
};

describe('an API server', () => {
  const path = process.env['PATH'];
  afterEach(() => {
    process.env['PATH'] = path;
  });
  // In the words of kubectl and of a server 1.32.
  const REFUSED = 'no matches for kind "PodMonitor" in version "monitoring.coreos.com/v1"';
  const THERE =
    'Error from server (AlreadyExists): error when creating "STDIN": jobs.batch "pos-integrations-migrate" already exists';
  const WARNED = 'Warning: would violate PodSecurity "restricted:latest": runAsNonRoot != true';

  test('that is not there is skipped', () => {
    kubectl(['exit 1']);
    expect(judgeManifests(directory).state).toBe('skipped');
    process.env['PATH'] = '';
    expect(judgeManifests(directory)).toMatchObject({ part: 'cluster', state: 'skipped' });
  });

  test.each([
    ['takes everything', ['exit 0'], 'ok'],
    ['has no operator of Prometheus', [`echo '${REFUSED}' >&2`, 'exit 1'], 'ok'],
    ['has an earlier release', [`echo '${THERE}' >&2`, 'exit 1'], 'ok'],
    ['takes everything with a warning', [`echo '${WARNED}' >&2`], 'missing'],
    ['refuses a field', ['echo \'unknown field "spec.replika"\' >&2', 'exit 1'], 'missing'],
  ])('that %s: %j is %s', (_what, answer, state) => {
    kubectl(['[ "$1" = create ] || exit 0', ...answer]);
    expect(judgeManifests(directory).state).toBe(state);
  });
});

test('a dry run may skip, a release may not; what is missing keeps both', () => {
  const findings: Finding[] = [
    { part: 'version', state: 'ok', says: 'one' },
    { part: 'image', state: 'skipped', says: 'no engine' },
    { part: 'git', state: 'missing', says: 'dirty' },
  ];
  expect(blockers(findings, true).map(({ part }) => part)).toEqual(['git']);
  expect(blockers(findings, false).map(({ part }) => part)).toEqual(['image', 'git']);
  expect(linesOf(findings).split('\n')[1]).toBe('skipped  image    no engine');
});
