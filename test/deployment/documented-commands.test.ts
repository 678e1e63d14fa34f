import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { parse } from 'yaml';
import { composeVariables, readComposeFile } from '../../bench/rig/compose-file';
import { createAdminProgram } from '../../src/admin/admin-program';
import { SETTINGS } from '../../src/platform/config/settings';
import { blocksFor, pagesFor } from '../support/docs-ledger';
import { documents, ROOT } from '../support/documents';
import { buildKustomization } from './kustomize';
import { programSource } from './program-source';

const file = readComposeFile(Object.fromEntries(composeVariables().map((name) => [name, name])));
const { name: project, volumes } = parse(
  readFileSync(join(ROOT, 'docker-compose.yml'), 'utf8'),
) as { readonly name: string; readonly volumes: object };

/** The commands of a program that stand in a page within a line. */
function spans(program: string): readonly string[] {
  return documents()
    .filter((page) => page !== 'CHANGELOG.md')
    .flatMap((page) => [...readFileSync(join(ROOT, page), 'utf8').matchAll(/`([^`\n]+)`/g)])
    .map(([, code = '']) => code)
    .filter((code) => code.startsWith(`${program} `));
}

/** The lines of the blocks of a player, whole. */
const linesFor = (player: 'compose') =>
  pagesFor(player)
    .flatMap((page) => blocksFor(player, page))
    .flatMap(({ commands }) =>
      commands
        .replaceAll(/\\\n\s*/g, '')
        .trim()
        .split('\n'),
    )
    .flatMap((line) => line.split(' && '))
    .filter((line) => !line.startsWith('#'));

/** The words of a command as a shell makes them; what a redirection names is no word. */
function wordsOf(command: string): string[] {
  const words = command.replace(/ [<>] \S+$/, '');
  return execFileSync('sh', ['-c', `printf '%s\\0' ${words}`], { encoding: 'utf8' })
    .split('\0')
    .slice(0, -1);
}

/** Of `docker compose`: the options of each command that take nothing, and those that take a value. */
const COMPOSE: Readonly<Record<string, { plain: readonly string[]; valued: readonly string[] }>> = {
  build: { plain: [], valued: [] },
  down: { plain: [], valued: [] },
  exec: { plain: ['-T'], valued: [] },
  logs: { plain: [], valued: [] },
  restart: { plain: [], valued: [] },
  run: { plain: ['--rm'], valued: [] },
  stop: { plain: [], valued: [] },
  up: { plain: ['-d', '--build', '--wait'], valued: ['--scale'] },
};

describe('docker', () => {
  const lines = [...new Set([...linesFor('compose'), ...spans('docker compose')])];
  const [secrets = '', ...others] = lines.toSorted(
    (a, b) => Number(b.endsWith('.env)')) - Number(a.endsWith('.env)')),
  );
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'documented-'));
  });
  afterEach(() => rmSync(directory, { recursive: true }));
  const write = () => spawnSync('sh', ['-c', secrets], { cwd: directory });
  const written = () => readFileSync(join(directory, '.env'), 'utf8');

  test('the first command writes a .env that the file is content with', () => {
    expect(write().status).toBe(0);
    const env = parseEnv(written()) as Record<string, string>;
    expect(() => readComposeFile(env)).not.toThrow();
    // Parts of URLs.
    expect(env['DATABASE_PASSWORD']).toMatch(/^[0-9a-f]{48}$/);
    expect(Buffer.from(env['ENCRYPTION_KEY'] ?? '', 'base64')).toHaveLength(32);
    expect(statSync(join(directory, '.env')).mode & 0o777).toBe(0o600);
  });

  test('pasted once more it leaves the .env as it is, whose key the database needs', () => {
    write();
    const before = written();
    expect(write().status).not.toBe(0);
    expect(written()).toBe(before);
  });

  test.each(others)('%s', (line) => {
    expect(unknownWords(wordsOf(line))).toEqual([]);
  });

  test('what is not known is found', () => {
    const wrong = 'compose run -T apis node dist/src/bin/nothing.js';
    expect(unknownWords(wordsOf(`docker ${wrong}`))).toEqual(['-T', 'apis', 'node']);
    expect(unknownWords(['docker', 'compose', 'start'])).toEqual(['compose start']);
    const admin = 'docker compose run --rm api node dist/src/bin/admin.js user';
    expect(unknownWords(wordsOf(`${admin} mend`))).toEqual(['user mend']);
    expect(unknownWords(wordsOf(`${admin} create --nme X`))).toEqual(['--nme']);
  });
});

/** What of a command of docker neither it nor docker-compose.yml knows. */
function unknownWords([, noun, verb = '', ...rest]: readonly string[]): string[] {
  if (noun === 'volume' && verb === 'rm') {
    const known = Object.keys(volumes).map((volume) => `${project}_${volume}`);
    return rest.filter((word) => !known.includes(word));
  }
  const options = COMPOSE[verb];
  if (noun !== 'compose' || !options) return [`${noun} ${verb}`];
  const words = [...rest];
  const unknown: string[] = [];
  const isKnown = (word: string) =>
    word.startsWith('-') ? options.plain.includes(word) : word in file.services;
  while (words.length > 0) {
    const word = words.shift() ?? '';
    const named = options.valued.includes(word) ? (words.shift()?.split('=')[0] ?? '') : word;
    if (!isKnown(named)) unknown.push(named);
    const takesCommand = (verb === 'run' || verb === 'exec') && !named.startsWith('-');
    if (takesCommand) return [...unknown, ...unknownCommand(named, words)];
  }
  return unknown;
}

/** What is run in a container: a program that the image has, one of Postgres with a role and a database that there are, or a file of the proxy. */
function unknownCommand(service: string, [program, ...args]: readonly string[]): string[] {
  if (program === undefined) return [];
  const source = programSource(args.slice(0, 1));
  const isOurs = service === 'api' && program === 'node' && existsSync(join(ROOT, source));
  if (isOurs && source.endsWith('/admin.ts')) return unknownToAdmin(args.slice(1));
  const role = args[args.indexOf('--username') + 1] ?? '';
  const isOfPostgres =
    service === 'postgres' &&
    ['pg_dump', 'pg_restore', 'psql'].includes(program) &&
    ['pos', 'postgres'].includes(role) &&
    readFileSync(join(ROOT, 'ops/compose/roles.sql'), 'utf8').includes(`('${args.at(-1)}', 'pos')`);
  const kept = file.services['proxy']?.environment?.['XDG_DATA_HOME'] ?? 'none';
  const isOfProxy = service === 'proxy' && program === 'cat' && args[0]?.startsWith(`${kept}/`);
  return isOurs || isOfPostgres || isOfProxy ? [] : [program];
}

/** What of an admin command the program does not know: its noun, its verb or its options. */
function unknownToAdmin([noun, verb = '', ...rest]: readonly string[]): string[] {
  if (noun === undefined) return [];
  const program = createAdminProgram(
    () => {
      throw new Error('nothing is run');
    },
    () => {},
  );
  const command = program.commands
    .find((each) => each.name() === noun)
    ?.commands.find((each) => each.name() === verb);
  if (!command) return [`${noun} ${verb}`];
  const known = command.options.map(({ long }) => long);
  return rest.filter((word) => word.startsWith('--') && !known.includes(word));
}

const verbs = (lines: readonly string[][]) => lines.map(([, verb]) => verb);

describe('kubectl', () => {
  const folder = 'ops/kubernetes/overlays';
  const built = (overlay: string) => buildKustomization(join(ROOT, folder, overlay));
  /** The blocks of the two overlays, in the order of the page. */
  const [trial = [], production = []] = blocksFor('kubernetes', 'docs/deployment.md').map(
    ({ commands }) =>
      commands
        .replaceAll(/\\\n\s*/g, '')
        .trim()
        .split('\n')
        .filter((line) => line.startsWith('kubectl '))
        .map(wordsOf),
  );

  test('every command is one of these', () => {
    expect(verbs(trial).join(' ')).toBe('create create apply wait exec exec port-forward');
    expect(verbs(production)).toEqual(['create', 'create', 'apply', 'wait', 'apply']);
  });

  test.each([
    ['trial', trial],
    ['production', production],
  ])('the secret of %s has every setting that has no default', (_overlay, lines) => {
    const [, , , , , ...literals] =
      lines.find(([, , , , name]) => name === 'pos-integrations') ?? [];
    const given = literals.map((each) => /^--from-literal=(\w+)=./.exec(each)?.[1] ?? each);
    expect(given).toEqual(['DATABASE_URL', 'ENCRYPTION_KEY']);
    expect(given.filter((each) => !(each in SETTINGS))).toEqual([]);
  });

  test('both apply an overlay that there is; production first what comes before the rest', () => {
    const applied = [...trial, ...production].filter(([, verb]) => verb === 'apply');
    expect(applied.map(([, , , path]) => path)).toEqual([
      `${folder}/trial`,
      `${folder}/production`,
      `${folder}/production`,
    ]);
    const components = /in \((.*)\)/.exec(applied[1]?.[5] ?? '')?.[1]?.split(', ') ?? [];
    const first = built('production').filter(({ metadata }) =>
      components.includes(metadata.labels['app.kubernetes.io/component'] ?? ''),
    );
    expect(first.map(({ kind }) => kind).toSorted()).toEqual(['ConfigMap', 'Job', 'Job']);
  });

  test.each([
    ['trial', trial],
    ['production', production],
  ])('what is waited for in %s is all of our jobs', (overlay, lines) => {
    const [, , ...words] = lines.find(([, verb]) => verb === 'wait') ?? [];
    expect(words).toContain('--for=condition=complete');
    const jobs = built(overlay).filter(
      ({ kind, metadata }) => kind === 'Job' && metadata.name.startsWith('pos-integrations'),
    );
    expect(words.filter((word) => !word.startsWith('--')).toSorted()).toEqual(
      jobs.map(({ metadata }) => `job/${metadata.name}`).toSorted(),
    );
  });

  test('what is run and reached in the trial is there', () => {
    const [, , service, ports] = trial.at(-1) ?? [];
    const names = built('trial').map(
      ({ kind, metadata }) => `${kind.toLowerCase()}/${metadata.name}`,
    );
    expect(names).toContain(service);
    for (const [, , deployment, , program, source, ...admin] of trial.slice(4, -1)) {
      expect(names).toContain(deployment);
      expect(program).toBe('node');
      expect(existsSync(join(ROOT, programSource([source ?? ''])))).toBe(true);
      expect(unknownToAdmin(admin)).toEqual([]);
    }
    const found = built('trial').find(
      ({ kind, metadata }) => kind === 'Service' && service === `service/${metadata.name}`,
    );
    expect(found?.spec.ports[0].port).toBe(Number(ports?.split(':')[1]));
  });

  test.each(spans('kubectl'))('%s', (line) => {
    const [, verb, kind, option, selector = ''] = wordsOf(line);
    expect([verb, kind, option]).toEqual(['delete', 'job', '--selector']);
    const [label = '', value] = selector.split('=');
    const jobs = built('production').filter((each) => each.kind === 'Job');
    expect(jobs.length).toBeGreaterThan(0);
    for (const { metadata } of jobs) expect(metadata.labels[label]).toBe(value);
  });
});
