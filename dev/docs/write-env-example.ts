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
  const settings = Object.entries<DescribedSetting>(SETTINGS).map(([name, each]) =>
    [...describe(each), line(name, each)].join('\n'),
  );
  return `${[HEAD, '# For docker-compose.yml alone, which sets DATABASE_URL itself.', ...compose, '# The settings of every process.', ...settings].join('\n\n')}\n`;
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
