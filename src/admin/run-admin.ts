import { CommanderError } from 'commander';
import { type Config, ConfigError, loadConfig } from '../platform/config/config';
import { createConfiguredSecretBox } from '../run/configured-secrets';
import { connectAsConfigured } from '../platform/db/configured';
import { postgresSentence } from '../platform/db/postgres-sentence';
import { createTemporalClient } from '../platform/temporal/connection';
import { type AdminDeps, AdminError } from './admin-deps';
import { createAdminProgram } from './admin-program';
import { resultText } from './result-text';

/** gRPC's status of a server that cannot be connected to. */
const UNAVAILABLE = 14;

interface AdminOptions {
  /** Said in place of every missing setting when there is no `DATABASE_URL`. */
  readonly unconfigured?: string;
  /** A terminal gets a table, anything else one line of JSON. */
  readonly out?: Pick<NodeJS.WriteStream, 'write'> & { readonly isTTY?: boolean };
  readonly err?: Pick<NodeJS.WriteStream, 'write'>;
}

interface Opened {
  readonly config: Config;
  readonly deps: AdminDeps;
}

/**
 * Runs one administration command: prints its single result on `out`, or a sentence on `err`. Resolves to the exit
 * status, 1 for an error.
 */
export async function runAdmin(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  { out = process.stdout, err = process.stderr, unconfigured }: AdminOptions = {},
): Promise<number> {
  const opened: { it?: Opened } = {};
  // Created by the first command that needs it, so that `--help` works without a configuration.
  const deps = (): AdminDeps => {
    if (unconfigured && !env['DATABASE_URL']) throw new AdminError(unconfigured);
    return (opened.it ??= open(env)).deps;
  };
  const print = (result: unknown): void => {
    out.write(out.isTTY ? resultText(result) : `${JSON.stringify(result)}\n`);
  };
  const program = createAdminProgram(deps, print, process.stdin, {
    writeOut: (text) => void out.write(text),
    writeErr: (text) => void err.write(text),
  });
  try {
    await program.parseAsync([...argv]);
    return 0;
  } catch (error) {
    // Commander has already printed its message (or the requested help).
    if (error instanceof CommanderError) return error.exitCode;
    err.write(`${sentenceOf(error, opened.it?.config)}\n`);
    return 1;
  } finally {
    await opened.it?.deps.sql.end({ timeout: 5 });
    await opened.it?.deps.temporal.connection.close();
  }
}

function open(env: Readonly<Record<string, string | undefined>>): Opened {
  const config = loadConfig(env);
  const deps = {
    sql: connectAsConfigured(config, { max: 2, applicationName: 'pos-integrations-admin' }),
    secrets: createConfiguredSecretBox(config),
    temporal: createTemporalClient(config),
    settings: config,
  };
  return { config, deps };
}

function sentenceOf(error: unknown, config: Config | undefined): string {
  if (error instanceof AdminError || error instanceof ConfigError) return error.message;
  const ofPostgres = postgresSentence(error, config?.DATABASE_URL ?? '');
  if (ofPostgres !== null) return ofPostgres;
  if (isFromTemporal(error)) {
    const address = config?.TEMPORAL_ADDRESS ?? '';
    return error.code === UNAVAILABLE
      ? `Temporal cannot be reached at ${address}; TEMPORAL_ADDRESS says where it is.`
      : `Temporal at ${address} did not do it: ${error.details}.`;
  }
  return `The command failed: ${error instanceof Error ? error.message : 'unknown error'}`;
}

/** gRPC's errors carry a short explanation beside their own long message. */
function isFromTemporal(
  error: unknown,
): error is { readonly details: string; readonly code?: unknown } {
  return (
    error instanceof Error &&
    'details' in error &&
    typeof error.details === 'string' &&
    'metadata' in error
  );
}
