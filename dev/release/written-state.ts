import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Finding } from './finding';
import { judgeLicences, type Lockfile } from './licences';

/** Where the version stands; the group of each pattern is the version, and each file has at least one. */
const PLACES: readonly (readonly [file: string, pattern: RegExp])[] = [
  ['package-lock.json', /^(?: {2}"name": "pos-integrations",\n {2}"version": "(.*)")/gm],
  ['package-lock.json', /^ {6}"name": "pos-integrations(?:-client)?",\n {6}"version": "(.*)"/gm],
  ['clients/typescript/package.json', /^ {2}"version": "(.*)"/gm],
  ['clients/typescript/README.md', /pos-integrations-client-(\d\S*)\.tgz/g],
  ['clients/python/pyproject.toml', /^version = "(.*)"/gm],
  ['src/contract/version.ts', /VERSION = '(.*)'/g],
  ['docker-compose.yml', /image: pos-integrations:(\S+)/g],
];
const MANIFESTS = 'ops/kubernetes';
const IMAGE = /image: pos-integrations:(\S+)|newTag: (\S+)/g;

/** Files that a release needs and that no other check would miss. */
const NEEDED = [
  'CONTRIBUTING.md',
  'SECURITY.md',
  'docs/support-policy.md',
  'docs/upgrading.md',
  '.github/pull_request_template.md',
];

export function versionOf(root: string): string {
  return (JSON.parse(read(root, 'package.json')) as { version: string }).version;
}

/** What a release needs of the files of the project, which are read and not run. */
export function judgeWrittenState(root: string): readonly Finding[] {
  const version = versionOf(root);
  const { looked, refused } = judgeLicences(
    JSON.parse(read(root, 'package-lock.json')) as Lockfile,
  );
  return [
    judge('version', `${version} everywhere`, otherVersions(root, version)),
    judge(
      'changelog',
      `has ${version} first`,
      changelogTroubles(read(root, 'CHANGELOG.md'), version),
    ),
    judge('pages', NEEDED.join(', '), missingFiles(root)),
    judge('licences', `${looked} packages, each with an allowed one`, refused),
  ];
}

/** The places that have another version than package.json, or none. */
function otherVersions(root: string, version: string): readonly string[] {
  const manifests = readdirSync(join(root, MANIFESTS), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => join(MANIFESTS, file));
  const optional = manifests.flatMap((file) => found(root, file, IMAGE));
  const needed = PLACES.flatMap(([file, pattern]) => {
    const all = found(root, file, pattern);
    return all.length > 0 ? all : [{ file, version: 'none' }];
  });
  return [...needed, ...optional]
    .filter((each) => each.version !== version)
    .map((each) => `${each.file} has ${each.version}`);
}

function found(root: string, file: string, pattern: RegExp) {
  return [...read(root, file).matchAll(pattern)].map(([, one, other]) => ({
    file,
    version: one ?? other ?? 'none',
  }));
}

/** What stands in a section below its title. */
const linesIn = (section = '') => section.split('\n').slice(1).join('').trim();

/** What is wrong with the changelog: its first section has to be that of the version, with something in it. */
export function changelogTroubles(text: string, version: string): readonly string[] {
  const sections = text.split(/^## /m).slice(1);
  const titled = (title: string) => sections.find((each) => each.split('\n')[0] === title);
  const troubles: string[] = [];
  if (linesIn(titled('Unreleased')) !== '') troubles.push('lines stand under Unreleased');
  if (linesIn(titled(version)) === '') troubles.push(`no section ${version}`);
  const [first] = sections
    .map((each) => each.split('\n')[0])
    .filter((each) => each !== 'Unreleased');
  if (titled(version) !== undefined && first !== version) {
    troubles.push(`${first} stands before ${version}`);
  }
  return troubles;
}

function missingFiles(root: string): readonly string[] {
  return NEEDED.filter((file) => !existsSync(join(root, file))).map((file) => `no ${file}`);
}

function judge(part: string, good: string, troubles: readonly string[]): Finding {
  return troubles.length === 0
    ? { part, state: 'ok', says: good }
    : { part, state: 'missing', says: troubles.join('; ') };
}

function read(root: string, file: string): string {
  return readFileSync(join(root, file), 'utf8');
}
