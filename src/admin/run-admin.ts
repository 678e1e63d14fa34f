import { CommanderError } from 'commander';
import { ConfigError, loadConfig } from '../config';
import { createConfiguredSecretBox } from '../configured-secrets';
import { connect } from '../db/client';
import { createTemporalClient } from '../temporal/connection';
import { type AdminDeps, AdminError } from './admin-deps';
import { createAdminProgram } from './admin-program';

/**
 * Runs one administration command: one JSON value on standard output, or a sentence on standard error and status 1.
 * Resolves to the exit status.
 */
export async function runAdmin(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  const opened: { deps?: AdminDeps } = {};
  // Opened by the first command that needs it, so that `--help` works without a configuration.
  const deps = (): AdminDeps => (opened.deps ??= openDeps(env));
  const program = createAdminProgram(deps, (result) => {
    process.stdout.write(`${JSON.stringify(result)}\n`);
  });
  try {
    await program.parseAsync([...argv]);
    return 0;
  } catch (error) {
    // Commander has printed its own sentence (or the help that was asked for).
    if (error instanceof CommanderError) return error.exitCode;
    process.stderr.write(`${sentenceOf(error)}\n`);
    return 1;
  } finally {
    await opened.deps?.sql.end({ timeout: 5 });
    await opened.deps?.temporal.connection.close();
  }
}

function openDeps(env: Readonly<Record<string, string | undefined>>): AdminDeps {
  const config = loadConfig(env);
  return {
    sql: connect(config.DATABASE_URL, { max: 2, applicationName: 'pos-integrations-admin' }),
    secrets: createConfiguredSecretBox(config),
    temporal: createTemporalClient(config),
  };
}

function sentenceOf(error: unknown): string {
  if (error instanceof AdminError || error instanceof ConfigError) return error.message;
  return `The command failed: ${error instanceof Error ? error.message : 'unknown error'}`;
}
