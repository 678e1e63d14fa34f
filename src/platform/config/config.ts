import { type Setting, SETTINGS } from './settings';

type SettingName = keyof typeof SETTINGS;
type SettingValue<S> = S extends Setting<infer T> ? T : never;
export type Config = { readonly [K in SettingName]: SettingValue<(typeof SETTINGS)[K]> };

export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/**
 * Reads the environment once, at startup. Throws a `ConfigError` that names all problems, not just the first, and
 * never repeats a value.
 */
export function loadConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const problems: string[] = [];
  const values = Object.entries<Setting<unknown>>(SETTINGS).map(([name, each]) => {
    // An empty variable is an absent one: compose files write `NAME=` for "not set".
    const given = env[name] || each.fallback;
    if (given === undefined) {
      problems.push(`${name} is required (${each.description})`);
      return [name, undefined];
    }
    try {
      return [name, each.parse(given)];
    } catch (error) {
      problems.push(`${name} ${error instanceof Error ? error.message : 'is not valid'}`);
      return [name, undefined];
    }
  });
  problems.push(...temporalProblems(env));
  if (problems.length > 0) {
    throw new ConfigError(`The configuration is not valid:\n  ${problems.join('\n  ')}`);
  }
  return Object.fromEntries(values) as Config;
}

/**
 * Problems of Temporal's settings in combination. None is ignored, because then its value would be sent unencrypted.
 */
function temporalProblems(env: Readonly<Record<string, string | undefined>>): string[] {
  const { TEMPORAL_TLS_CERT: cert, TEMPORAL_TLS_KEY: key } = env;
  const problems: string[] = [];
  if (cert && !key) problems.push('TEMPORAL_TLS_CERT needs its key, TEMPORAL_TLS_KEY');
  if (key && !cert) problems.push('TEMPORAL_TLS_KEY needs its certificate, TEMPORAL_TLS_CERT');
  if (env['TEMPORAL_TLS'] === 'true') return problems;
  const secure = ['TEMPORAL_TLS_CA', 'TEMPORAL_TLS_CERT', 'TEMPORAL_TLS_KEY', 'TEMPORAL_API_KEY'];
  for (const name of secure) if (env[name]) problems.push(`${name} needs TEMPORAL_TLS=true`);
  return problems;
}
