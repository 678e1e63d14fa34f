import { randomInt } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { isPortFree } from '../../dev/processes/free-port';
import { preparePostgresHome } from '../../dev/postgres/postgres-home';
import { type ComposeFile, readConfig } from './compose-file';
import type { Placement } from './compose-player';
import { buildTemporalPrograms } from './temporal-on-postgres';

/** The address of each service of docker-compose.yml on this machine. */
export interface Places {
  of(service: string): Placement;
  readonly apiUrl: string;
}

const TEMPORAL_PORTS = [
  'FRONTEND_GRPC_PORT',
  'FRONTEND_HTTP_PORT',
  'FRONTEND_MEMBERSHIP_PORT',
  'MATCHING_GRPC_PORT',
  'MATCHING_MEMBERSHIP_PORT',
  'HISTORY_GRPC_PORT',
  'HISTORY_MEMBERSHIP_PORT',
  'WORKER_GRPC_PORT',
  'WORKER_MEMBERSHIP_PORT',
  'INTERNAL_FRONTEND_GRPC_PORT',
  'INTERNAL_FRONTEND_HTTP_PORT',
  'INTERNAL_FRONTEND_MEMBERSHIP_PORT',
];

/**
 * Provides what the images contain: a database cluster of that superuser, Temporal's programs, the files of the
 * configs, ports.
 */
export async function preparePlaces(
  directory: string,
  file: ComposeFile,
  superuserPassword: string,
  note: (what: string, ms: number) => void,
): Promise<Places> {
  const startedAt = performance.now();
  const version = file.services['temporal']?.image.split(':')[1] ?? '';
  const temporal = await buildTemporalPrograms(version);
  note(`Temporal server ${version}, its programs`, performance.now() - startedAt);
  const postgresDirectory = join(directory, 'postgres');
  await mkdir(postgresDirectory, { mode: 0o755 });
  await writeFile(join(postgresDirectory, 'password'), superuserPassword, { mode: 0o600 });
  const home = await preparePostgresHome(postgresDirectory, () => {});
  const ports = await takePorts([
    'postgres',
    'api',
    'apiMetrics',
    'workerMetrics',
    'temporalMetrics',
  ]);
  const temporalPorts = await takePorts(TEMPORAL_PORTS);
  const frontend = String(temporalPorts['FRONTEND_GRPC_PORT']);
  const configs = await writeConfigs(directory, file);

  const replaced = (metricsPort: string) =>
    new Map<string, string>([
      ...configs,
      ['@postgres:5432', `@127.0.0.1:${ports['postgres']}`],
      ['temporal:7233', `127.0.0.1:${frontend}`],
      ['127.0.0.1:3000', `127.0.0.1:${ports['api']}`],
      ['127.0.0.1:9464', `127.0.0.1:${metricsPort}`],
      ['0.0.0.0:8000', `127.0.0.1:${ports['temporalMetrics']}`],
      ['0.0.0.0', '127.0.0.1'],
      ['/etc/temporal/schema', temporal.schema],
    ]);
  const path = [
    temporal.folder,
    home.binaries.directory,
    dirname(process.execPath),
    '/usr/local/bin',
    '/usr/bin',
    '/bin',
  ].join(delimiter);
  const base = (metricsPort = '') => ({
    path,
    directory,
    relocate: relocate(replaced(metricsPort)),
  });
  const atPostgres = { PGPORT: String(ports['postgres']), PGHOST: '127.0.0.1' };
  const server = { HOST: '127.0.0.1', PORT: String(ports['api']) };
  const special: Readonly<Record<string, Partial<Placement>>> = {
    postgres: {
      uid: home.uid,
      directory: '/',
      environment: { PGPORT: String(ports['postgres']), PGDATA: home.cluster },
      args: ['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='],
    },
    roles: { environment: atPostgres },
    'temporal-schema': {
      environment: { SQL_HOST: '127.0.0.1', SQL_PORT: String(ports['postgres']) },
    },
    temporal: {
      imageCommand: ['temporal-server', 'start'],
      environment: {
        POSTGRES_SEEDS: '127.0.0.1',
        DB_PORT: String(ports['postgres']),
        TEMPORAL_BROADCAST_ADDRESS: '127.0.0.1',
        ...temporalPorts,
      },
    },
    api: {
      ...base(ports['apiMetrics']),
      environment: { ...server, METRICS_PORT: ports['apiMetrics'] ?? '' },
    },
    worker: {
      ...base(ports['workerMetrics']),
      environment: { ...server, METRICS_PORT: ports['workerMetrics'] ?? '' },
    },
  };
  return {
    of: (service) => ({ ...base(), ...special[service] }),
    apiUrl: `http://127.0.0.1:${ports['api']}`,
  };
}

/** The health check of Temporal names its port alone. */
function relocate(replaced: ReadonlyMap<string, string>): (text: string) => string {
  const frontend = replaced.get('temporal:7233')?.split(':')[1] ?? '';
  return (text) => {
    if (text === '7233') return frontend;
    return [...replaced].reduce((changed, [from, to]) => changed.replaceAll(from, to), text);
  };
}

/** Below 32,768: Temporal keeps the ports of its members as smallint. */
async function takePorts(names: readonly string[]): Promise<Record<string, string>> {
  const ports: Record<string, string> = {};
  for (const name of names) {
    let port: number;
    do port = randomInt(20_000, 32_000);
    while (Object.values(ports).includes(String(port)) || !(await isPortFree(port)));
    ports[name] = String(port);
  }
  return ports;
}

/** Each config as a file; from where it is mounted to where it is here. */
async function writeConfigs(directory: string, file: ComposeFile): Promise<[string, string][]> {
  const places: [string, string][] = [];
  for (const { configs = [] } of Object.values(file.services)) {
    for (const { source, target } of configs) {
      const path = join(directory, `${source}.config`);
      await writeFile(path, readConfig(file, source), { mode: 0o644 });
      places.push([target, path]);
    }
  }
  return places;
}
