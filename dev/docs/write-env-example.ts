import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SETTINGS } from '../../src/platform/config/settings';

export const ENV_EXAMPLE = join(__dirname, '..', '..', '.env.example');

/** What docker-compose.yml takes beside the settings. */
const COMPOSE = [
  [
    'POSTGRES_PASSWORD',
    'Of the superuser of Postgres, who makes the roles; letters and digits only',
  ],
  ['DATABASE_PASSWORD', 'Of the role of the service; letters and digits only'],
  ['TEMPORAL_DATABASE_PASSWORD', 'Of the role of Temporal; letters and digits only'],
] as const;

/** The same, with what it takes where they are absent. */
const COMPOSE_DEFAULTS = [
  ['API_REPLICAS', 'How many APIs', '1'],
  ['WORKER_REPLICAS', 'How many workers', '1'],
  [
    'PROXY_SITE',
    'Name of the service, for its certificate; several with commas. A public one needs the ports 443 and 80 below',
    'localhost',
  ],
  ['PROXY_ADDRESS', 'Address of this host that the proxy listens on; 0.0.0.0 = all', '127.0.0.1'],
  ['PROXY_HTTPS_PORT', 'Port of the proxy with TLS', '3443'],
  ['PROXY_HTTP_PORT', 'Port of the proxy that leads to the one with TLS', '3080'],
  ['API_PORT', 'Port of the proxy without TLS, for this host alone', '3000'],
  ['TEMPORAL_UI_PORT', 'Port of Temporal’s UI, for this host alone', '8080'],
  ['PROMETHEUS_PORT', 'Port of Prometheus, for this host alone', '9090'],
  [
    'NETWORK',
    'The first three numbers of the network of the containers. This host is number 1 in it, the proxy number 2',
    '172.30.40',
  ],
] as const;

const HEAD = `# Every setting with its default, written by dev/docs/write-env-example.ts from src/platform/config/settings.ts.
# Copy it to .env and fill in what is required; docker-compose.yml and \`node --env-file=.env\` read that. Keep .env to
# yourself. An empty variable counts as absent.`;

interface DescribedSetting {
  readonly description: string;
  readonly allowed: string;
  readonly fallback?: string;
}

/** The text of .env.example: required settings to be filled in, the others commented out. */
export function envExample(): string {
  const compose = COMPOSE.map(([name, description]) => `# ${description}\n${name}=`);
  const defaults = COMPOSE_DEFAULTS.map(
    ([name, description, fallback]) => `# ${description}\n#${name}=${fallback}`,
  );
  const settings = Object.entries<DescribedSetting>(SETTINGS).map(([name, each]) =>
    [...describe(each), line(name, each)].join('\n'),
  );
  return `${[HEAD, '# For docker-compose.yml alone, which sets DATABASE_URL itself.', ...compose, ...defaults, '# The settings of every process.', ...settings].join('\n\n')}\n`;
}

function describe({ description, allowed }: DescribedSetting): string[] {
  return [`# ${plain(description)}`, ...(allowed === '' ? [] : [`# Allowed: ${plain(allowed)}`])];
}

function plain(text: string): string {
  return text.replaceAll('`', '');
}

function line(name: string, { fallback }: DescribedSetting): string {
  return fallback === undefined ? `${name}=` : `#${name}=${fallback}`;
}

if (require.main === module) writeFileSync(ENV_EXAMPLE, envExample());
