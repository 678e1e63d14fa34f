import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Ajv from 'ajv';
import addFormats from 'ajv-formats';
import { parse } from 'yaml';
import {
  composeVariables,
  isOneShot,
  readComposeFile,
  readConfig,
} from '../../bench/rig/compose-file';
import { SETTINGS } from '../../src/platform/config/settings';
import { programSource } from './program-source';

const ROOT = join(__dirname, '..', '..');
const env = Object.fromEntries(composeVariables().map((name) => [name, `the${name}`]));
const file = readComposeFile(env);
const { services } = file;
const named = Object.entries(services);
const ours = named.filter(([, { command = [] }]) => command[0] === 'node');
const others = named.filter((each) => !ours.includes(each));
/** Settings that the file itself decides: where the other services are, and that there is no pooler. */
const DECIDED = /^(HOST|PORT|METRICS_PORT|DATABASE_URL|DATABASE_DIRECT_URL|TEMPORAL_\w+)$/;

/** Violations of the Compose specification; its schema comes with a linter of Compose files. */
function violations(content: object): string[] {
  const path = join(dirname(require.resolve('dclint')), '..', 'schemas', 'compose.schema.json');
  const schema = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
  // Its `$schema` is that of draft 7 under an address which Ajv does not know.
  delete schema['$schema'];
  const ajv = new Ajv({ strict: false, allErrors: true });
  addFormats(ajv);
  ajv.addFormat('expose', /^\d{1,5}(-\d{1,5})?(\/[a-zA-Z]+)?$/);
  ajv.addFormat('ports', true);
  const validate = ajv.compile(schema);
  validate(content);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

test('docker-compose.yml matches the schema of the Compose specification', () => {
  expect(violations(file)).toEqual([]);
});

// An unquoted `? 0: 1` once made a mapping of the health check, and Compose refused the whole file.
test('the schema detects a mapping in a health check, and an unknown field', () => {
  const wrong = { services: { api: { healthcheck: { test: ['CMD', { 'r.ok ? 0': 1 }] } } } };
  expect(violations(wrong).join()).toContain('/services/api/healthcheck/test');
  expect(violations({ services: { api: { imag: 'x' } } }).join()).toContain(
    'additional properties',
  );
});

describe.each(named)('%s', (name, service) => {
  test('waits only for what exists and can be waited for', () => {
    const impossible = Object.entries(service.depends_on ?? {}).filter(([other, { condition }]) => {
      const awaited = services[other];
      if (!awaited) return true;
      if (condition === 'service_healthy') return !awaited.healthcheck;
      return condition === 'service_completed_successfully' && !isOneShot(awaited);
    });
    expect(impossible).toEqual([]);
  });

  test('has a pinned image version, limits, and a health check unless it ends by itself', () => {
    expect(service.image).toMatch(/:v?\d+\.\d+(\.\d+)?(-[\w.]+)?$/);
    expect(service.deploy?.resources.limits).toEqual({
      cpus: expect.stringMatching(/^[\d.]+$/),
      memory: expect.stringMatching(/^\d+[MG]$/),
      pids: expect.any(Number),
    });
    expect(service.healthcheck === undefined).toBe(isOneShot(service));
  });

  test('has no rights that it does not need', () => {
    expect(service.cap_drop).toEqual(['ALL']);
    expect(service.security_opt).toEqual(['no-new-privileges:true']);
    expect(service.read_only === true).toBe(name !== 'temporal-ui');
  });

  // Compose copies other configs into the container, which a read-only one refuses.
  test('has its configs as files', () => {
    for (const { source } of service.configs ?? []) {
      expect(existsSync(join(ROOT, file.configs[source]?.file ?? 'none'))).toBe(true);
    }
  });

  test('opens its ports only to this host', () => {
    const { ports = [] } = service as { readonly ports?: readonly string[] };
    for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/);
  });
});

describe('our services', () => {
  test('are these', () => {
    expect(ours.map(([name]) => name)).toEqual(['migrate', 'setup', 'api', 'worker']);
  });

  test.each(ours)('%s runs a program that the image has', (_name, { command = [] }) => {
    expect(existsSync(join(ROOT, programSource(command)))).toBe(true);
  });

  test.each(ours)('%s sets only settings that exist', (_name, { environment = {} }) => {
    expect(Object.keys(environment).filter((name) => !(name in SETTINGS))).toEqual([]);
  });

  test.each(['api', 'worker', 'setup'])('%s is given every setting of .env', (name) => {
    const { environment = {} } = services[name] ?? {};
    const wanted = Object.keys(SETTINGS).filter((each) => !DECIDED.test(each));
    const given = wanted.filter((each) => environment[each] === `the${each}`);
    expect(given).toEqual(wanted);
  });

  test('use a role that is not a superuser, and only Postgres knows the superuser’s password', () => {
    const url = new URL(services['api']?.environment?.['DATABASE_URL'] ?? '');
    expect([url.username, url.password]).toEqual(['pos', 'theDATABASE_PASSWORD']);
    for (const role of ['pos', 'temporal']) {
      expect(readConfig(file, 'roles')).toContain(
        `alter role ${role} login nosuperuser nocreatedb nocreaterole`,
      );
    }
    const knowing = named.filter(([, each]) =>
      JSON.stringify(each).includes('thePOSTGRES_PASSWORD'),
    );
    expect(knowing.map(([name]) => name)).toEqual(['postgres', 'roles']);
    expect(others.find(([name]) => name === 'temporal')?.[1].environment).toMatchObject({
      POSTGRES_USER: 'temporal',
      POSTGRES_PWD: 'theTEMPORAL_DATABASE_PASSWORD',
    });
  });
});

test('Prometheus scrapes API and worker where they serve metrics, and loads our alerts', () => {
  const { scrape_configs: jobs, rule_files: rules } = parse(readConfig(file, 'prometheus'));
  const [{ names, port }] = jobs[0].dns_sd_configs;
  for (const name of names) {
    expect(services[name]?.environment?.['METRICS_PORT']).toBe(String(port));
  }
  const mounted = services['prometheus']?.volumes?.find((each) => each.includes(rules[0]));
  expect(existsSync(join(ROOT, mounted?.split(':')[0] ?? 'none'))).toBe(true);
  expect(services['temporal']?.environment?.['PROMETHEUS_ENDPOINT']).toMatch(
    new RegExp(`:${jobs[1].static_configs[0].targets[0].split(':')[1]}$`),
  );
});

describe('Dockerfile', () => {
  const text = readFileSync(join(ROOT, 'Dockerfile'), 'utf8');

  test('takes one version of Node for both stages', () => {
    const images = [...text.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image);
    expect(new Set(images).size).toBe(1);
    expect(images[0]).toMatch(/^node:\d+\.\d+\.\d+-\w+-slim$/);
  });

  // npm ci refuses a lock file that names a folder which is not there.
  test('copies what npm ci and the build need, and .dockerignore lets it in', () => {
    const { workspaces } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      readonly workspaces: readonly string[];
    };
    const ignore = readFileSync(join(ROOT, '.dockerignore'), 'utf8').split('\n');
    const needed = workspaces.map((folder) => `${folder}/package.json`);
    for (const path of [...needed, 'src', 'schemas', 'workflows', 'activities']) {
      expect(text).toMatch(new RegExp(`^COPY ${path} `, 'm'));
      expect(ignore).toContain(`!${path}`);
    }
  });

  test('runs as a numeric user, without build-only packages', () => {
    expect(text).toMatch(/^USER 1000:1000$/m);
    expect(text).toContain('npm prune --omit=dev');
  });
});
