import { parseArgs } from 'node:util';
import { TOKEN_PATTERN } from '../../src/users/token-pattern';
import { dataDirectory } from './environment';

type Environment = Readonly<Record<string, string | undefined>>;

export interface StartSettings {
  /** Where the state is kept. */
  readonly directory: string;
  readonly sandboxPort: number;
  readonly temporalPort: number;
  readonly temporalUiPort: number;
  /** Undefined: the one that was made at the first start. */
  readonly demoToken: string | undefined;
}

export interface StartOptions {
  /** Throw the state away first. */
  readonly reset: boolean;
  readonly help: boolean;
}

export const START_HELP = `npm start                 runs everything on this machine; state is kept in .data
npm start -- --reset      the same, with all state of before thrown away
`;

/** The arguments of `npm start --`; throws a sentence for any other. */
export function readStartOptions(args: readonly string[]): StartOptions {
  const options = { reset: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } as const;
  const { reset = false, help = false } = parseArgs({ args: [...args], options }).values;
  return { reset, help };
}

/** The variables of `npm start` itself; everything else is passed through to `src/platform/config/settings.ts`. */
export function readStartSettings(env: Environment): StartSettings {
  return {
    directory: dataDirectory(env),
    sandboxPort: readPort(env, 'SANDBOX_PORT', 4010),
    temporalPort: readPort(env, 'TEMPORAL_PORT', 7233),
    temporalUiPort: readPort(env, 'TEMPORAL_UI_PORT', 8233),
    demoToken: readDemoToken(env),
  };
}

const TOKEN = new RegExp(`^${TOKEN_PATTERN}$`);

/** A token that the API would not read is refused now, because each request with it would be a 401. */
function readDemoToken(env: Environment): string | undefined {
  const token = env['DEMO_TOKEN'] || undefined;
  if (token !== undefined && !TOKEN.test(token)) {
    throw new Error(
      'DEMO_TOKEN must be 1 to 512 letters, digits and characters of -._~+/, and may end with =',
    );
  }
  return token;
}

/** `APP_C_LEVELS`, by default 1; throws a sentence for what the service would not take. */
export function readLevels(env: Environment): number {
  const value = Number(env['APP_C_LEVELS'] || 1);
  if (!Number.isInteger(value) || value < 1 || value > 6) {
    throw new Error('APP_C_LEVELS must be a whole number from 1 to 6');
  }
  return value;
}

/** The variable as a port, or `fallback` where it is empty; throws a sentence for anything else. */
export function readPort(env: Environment, name: string, fallback: number): number {
  const value = Number(env[name] || fallback);
  if (!Number.isInteger(value) || value < 1 || value > 65_535) {
    throw new Error(`${name} must be a port`);
  }
  return value;
}
