import { existsSync, readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { dirname, join } from 'node:path';
import Ajv from 'ajv';
import addFormats from 'ajv-formats';
import { parse } from 'yaml';
import { composeVariables, isOneShot, readComposeFile } from '../../bench/rig/compose-file';
import { createAddressOf } from '../../src/http/client-address';
import { SETTINGS } from '../../src/platform/config/settings';
import { programSource } from './program-source';

const ROOT = join(__dirname, '..', '..');
const env = Object.fromEntries(composeVariables().map((name) => [name, `the${name}`]));
const file = readComposeFile(env);
const { services } = file;
/** As it is with the secrets alone. */
const plain = readComposeFile(
  Object.fromEntries(
    composeVariables()
      .filter((name) => /PASSWORD$|^ENCRYPTION_KEY$/.test(name))
      .map((name) => [name, 'x']),
  ),
);
/** The files that `config` puts into its volume. */
const configFile = (name: string) => readFileSync(join(ROOT, 'ops', 'compose', name), 'utf8');
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

  test('has a pinned image version and limits that any host can grant', () => {
    expect(service.image).toMatch(/:v?\d+\.\d+(\.\d+)?(-[\w.]+)?(@sha256:[0-9a-f]{64})?$/);
    const { memory, pids, cpus, ...more } = service.deploy?.resources.limits ?? {};
    expect([memory, pids, more]).toEqual([
      expect.stringMatching(/^\d+[MG]$/),
      expect.any(Number),
      {},
    ]);
    // An engine refuses more processors than its host has.
    expect(Number(cpus ?? 1)).toBeLessThanOrEqual(1);
  });

  test('has no rights that it does not need', () => {
    expect(service.cap_drop).toEqual(['ALL']);
    expect(service.security_opt).toEqual(['no-new-privileges:true']);
    expect(service.read_only).toBe(true);
    expect(service.cap_add).toEqual(name === 'proxy' ? ['NET_BIND_SERVICE'] : undefined);
  });

  // A clone may have been made under umask 077, and a volume without a name stays behind.
  test('mounts volumes of the file alone', () => {
    const mounted = (service.volumes ?? []).map((each) => each.split(':')[0] ?? '');
    expect(mounted.filter((each) => !(each in file.volumes))).toEqual([]);
    expect(service).not.toHaveProperty('configs');
    // Postgres' image declares one.
    const places = [...(service.volumes ?? []), ...(service.tmpfs ?? [])].join();
    const isPostgres = service.image.startsWith('postgres:');
    expect(places.includes('/var/lib/postgresql/data')).toBe(isPostgres);
  });

  test('opens its ports only to this host', () => {
    for (const port of plain.services[name]?.ports ?? []) expect(port).toMatch(/^127\.0\.0\.1:/);
  });

  test('what opens ports is started last', () => {
    const { ports, depends_on: after = {} } = service;
    expect(ports === undefined || 'worker' in after).toBe(true);
    const waiting = Object.keys(after).filter((other) => services[other]?.ports);
    expect(waiting).toEqual([]);
  });
});

describe('the proxy', () => {
  const network = plain.networks.default.ipam.config[0];
  const address = plain.services['proxy']?.networks?.default.ipv4_address ?? '';

  test('has an address that no other container is given, and that the APIs trust', () => {
    expect([network?.subnet, network?.gateway, network?.ip_range, address]).toEqual([
      '172.30.40.0/24',
      '172.30.40.1',
      '172.30.40.128/25',
      '172.30.40.2',
    ]);
    const trustedBy = ({ services: all }: typeof file) =>
      all['api']?.environment?.['TRUSTED_PROXIES'];
    expect(trustedBy(plain)).toBe(address);
    expect(trustedBy(file)).toBe('theNETWORK.2,theTRUSTED_PROXIES');
  });

  test('tells the APIs the peer, who may not be trusted', () => {
    const { TRUSTED_PROXIES: setting } = SETTINGS;
    const addressOf = createAddressOf(setting.parse(address));
    const seen = (forwarded: string) =>
      addressOf({
        headers: { 'x-forwarded-for': forwarded },
        socket: { remoteAddress: address } as Socket,
      });
    expect(seen('203.0.113.9, 172.30.40.1')).toBe('172.30.40.1');
    expect(configFile('Caddyfile')).toContain('trusted_proxies 0.0.0.0/0 ::/0');
  });

  test('is where the APIs are, however many', () => {
    expect(configFile('Caddyfile')).toMatch(/dynamic a \{\s+name api\s+port 3000/);
    expect(services['api']).not.toHaveProperty('ports');
    for (const name of ['api', 'worker']) {
      expect(plain.services[name]?.deploy?.replicas).toBe('1');
      expect(services[name]?.deploy?.replicas).toBe(`the${name.toUpperCase()}_REPLICAS`);
    }
  });
});

// Each check is a process that the engine starts in the container: some 60 ms of CPU.
test('there is one health check, every half a minute, of an API through the proxy', () => {
  const checks = named.flatMap(([name, { healthcheck }]) =>
    healthcheck ? [[name, healthcheck]] : [],
  );
  expect(checks).toEqual([
    [
      'proxy',
      expect.objectContaining({
        interval: '30s',
        test: expect.arrayContaining(['http://127.0.0.1:3000/health/ready']),
      }),
    ],
  ]);
});

test('Postgres has room for all connections, which the docs say as the file does', () => {
  const { SQL_MAX_CONNS: main, SQL_VIS_MAX_CONNS: visibility } =
    services['temporal']?.environment ?? {};
  // Frontend, history, matching and worker have pools of their own.
  const ofTemporal = 4 * (Number(main) + Number(visibility));
  const scaling = readFileSync(join(ROOT, 'docs', 'scaling.md'), 'utf8');
  expect(scaling).toContain(`Temporal of docker-compose.yml holds up to ${ofTemporal}`);
  expect(scaling).toContain('An API holds up to 23 connections to Postgres, a worker up to 32');
  const most = Number(/max_connections=(\d+)/.exec(String(services['postgres']?.command))?.[1]);
  expect(ofTemporal + 2 * (23 + 32)).toBeLessThan(most);
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
    const given = wanted.filter((each) => environment[each]?.split(',').at(-1) === `the${each}`);
    expect(given).toEqual(wanted);
  });

  test('use a role that is not a superuser, and only Postgres knows the superuser’s password', () => {
    const url = new URL(services['api']?.environment?.['DATABASE_URL'] ?? '');
    expect([url.username, url.password]).toEqual(['pos', 'theDATABASE_PASSWORD']);
    for (const role of ['pos', 'temporal']) {
      expect(configFile('roles.sql')).toContain(
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
  const { scrape_configs: jobs, rule_files: rules } = parse(configFile('prometheus.yml'));
  const [{ names, port }] = jobs[0].dns_sd_configs;
  for (const name of names) {
    expect(services[name]?.environment?.['METRICS_PORT']).toBe(String(port));
  }
  expect(existsSync(join(ROOT, 'ops', rules[0]))).toBe(true);
  expect(services['temporal']?.environment?.['PROMETHEUS_ENDPOINT']).toMatch(
    new RegExp(`:${jobs[1].static_configs[0].targets[0].split(':')[1]}$`),
  );
});

describe('Dockerfile', () => {
  const text = readFileSync(join(ROOT, 'Dockerfile'), 'utf8');

  test('takes one version of Node for both stages', () => {
    const images = [...text.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image);
    expect(images).toEqual(['${NODE_IMAGE}', '${NODE_IMAGE}']);
    expect(text).toMatch(/^ARG NODE_IMAGE=node:\d+\.\d+\.\d+-\w+-slim(@sha256:[0-9a-f]{64})?$/m);
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

  test('has the files of the other services, which everybody may read', () => {
    expect(text).toMatch(/^COPY ops\/alerts.yml ops\/compose ops\/$/m);
    expect(text).toContain('chmod -R a+rX package.json node_modules dist ops');
    expect(text).toContain('COPY --from=build --chown=1000:1000 /app/ops /etc/pos');
    expect(services['config']?.command).toEqual(['cp', '-r', '/app/ops/.', '/etc/pos']);
    const ignore = readFileSync(join(ROOT, '.dockerignore'), 'utf8').split('\n');
    expect(ignore).toEqual(expect.arrayContaining(['!ops/alerts.yml', '!ops/compose']));
  });

  test('keeps native code for the architecture that it is built for', () => {
    const releases = join(ROOT, 'node_modules/@temporalio/core-bridge/releases');
    for (const kept of ['x86_64-unknown-linux-gnu', 'aarch64-unknown-linux-gnu']) {
      expect(text).toContain(`kept=${kept}`);
      expect(existsSync(join(releases, kept))).toBe(true);
    }
  });

  test('runs as a numeric user, without build-only packages', () => {
    expect(text).toMatch(/^USER 1000:1000$/m);
    expect(text).toContain('npm prune --omit=dev');
  });
});
