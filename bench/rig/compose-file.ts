import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

export interface ComposeService {
  readonly image: string;
  readonly user?: string;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly cap_add?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly restart: string;
  readonly entrypoint?: readonly string[];
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly healthcheck?: { readonly test: readonly string[]; readonly interval: string };
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly ports?: readonly string[];
  readonly networks?: { readonly default: { readonly ipv4_address: string } };
  readonly tmpfs?: readonly string[];
  readonly volumes?: readonly string[];
  readonly deploy?: {
    readonly replicas?: string;
    readonly resources: { readonly limits: Readonly<Record<string, unknown>> };
  };
}

export interface ComposeFile {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly networks: {
    readonly default: {
      readonly ipam: {
        readonly config: readonly { subnet: string; gateway: string; ip_range: string }[];
      };
    };
  };
  readonly volumes: Readonly<Record<string, null>>;
}

const COMPOSE_FILE = join(__dirname, '..', '..', 'docker-compose.yml');

/** The file with its anchors merged and its variables filled in, as Compose reads it. Throws for a required one that is absent. */
export function readComposeFile(
  env: Readonly<Record<string, string>>,
  path = COMPOSE_FILE,
): ComposeFile {
  const parsed: unknown = parse(readFileSync(path, 'utf8'), { merge: true });
  return mapTexts(parsed, (text) => interpolate(text, env)) as ComposeFile;
}

/** The names of the variables that the file takes from its environment, each once. */
export function composeVariables(): string[] {
  const found = readFileSync(COMPOSE_FILE, 'utf8').matchAll(/(?<!\$)\$\{(\w+)/g);
  return [...new Set([...found].map(([, name = '']) => name))];
}

/** One-shot services end by themselves; the others are started again whenever they end. */
export function isOneShot({ restart }: ComposeService): boolean {
  return restart.startsWith('on-failure');
}

function interpolate(text: string, env: Readonly<Record<string, string>>): string {
  // What stands within another one comes first.
  const innermost = /(?<!\$)\$\{(\w+)(?:(:[-?+])([^{}]*))?\}/;
  let changed = text;
  for (let found = innermost.exec(changed); found; found = innermost.exec(changed)) {
    const [all, name = '', operator, rest = ''] = found;
    changed = changed.replace(all, () => valueOf(name, operator, rest, env));
  }
  return changed.replaceAll('$$', '$');
}

function valueOf(
  name: string,
  operator: string | undefined,
  rest: string,
  env: Readonly<Record<string, string>>,
): string {
  const value = env[name];
  if (operator === ':+') return value ? rest : '';
  if (value) return value;
  if (operator === ':?') throw new Error(`${name}: ${rest}`);
  return operator === ':-' ? rest : '';
}

function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((each) => mapTexts(each, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, mapTexts(each, change)]),
  );
}
