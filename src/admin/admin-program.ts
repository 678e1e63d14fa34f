import { text as textOf } from 'node:stream/consumers';
import { Command, type OutputConfiguration } from 'commander';
import { type AdminDeps, AdminError } from './admin-deps';
import { addIntegrationCommands } from './commands/integration-commands';
import type { Print, ReadSecret } from './commands/options';
import { addPosCommands, addStoreCommands } from './commands/store-commands';
import { addTokenCommands, addUserCommands } from './commands/user-commands';
import { reencryptSecrets } from './reencrypt';
import { setUpTemporal } from './temporal';

/**
 * The administration commands. The running command calls `deps`; `print` gets its single result. Secrets in arguments
 * are visible to everyone who may list processes, so each may be given as `-` and is then read from `input`.
 */
export function createAdminProgram(
  deps: () => AdminDeps,
  print: Print,
  input: NodeJS.ReadableStream = process.stdin,
  output: OutputConfiguration = {},
): Command {
  const readSecret: ReadSecret = async (given) => (given === '-' ? readInput(input) : given);
  const program = new Command('admin')
    .exitOverride()
    .configureOutput(output)
    .showHelpAfterError('(--help after the command shows what it takes)');
  addUserCommands(noun(program, 'user', 'the people and programs that hold tokens'), deps, print);
  addTokenCommands(noun(program, 'token', 'bearer tokens'), deps, print);
  addStoreCommands(noun(program, 'store', 'places of sale'), deps, print, readSecret);
  addIntegrationCommands(noun(program, 'integration', 'delivery apps'), deps, print, readSecret);
  addPosCommands(noun(program, 'pos', 'point-of-sale systems'), deps, print, readSecret);
  noun(program, 'secrets', 'secrets at rest')
    .command('rotate')
    .description('seal every secret again with ENCRYPTION_KEY')
    .action(async () => print(await reencryptSecrets(deps().sql, deps().secrets)));
  noun(program, 'temporal', 'the Temporal namespace')
    .command('setup')
    .description('create the namespace and the search attributes')
    .action(async () => print(await setUpTemporal(deps())));
  return program;
}

function noun(program: Command, name: string, description: string): Command {
  return program.command(name).description(description).exitOverride();
}

/** The whole input as text, without the line end that an editor or `echo` adds. */
async function readInput(input: NodeJS.ReadableStream): Promise<string> {
  const value = (await textOf(input)).replace(/\r?\n$/, '');
  if (value.trim() === '') throw new AdminError('Standard input is empty.');
  return value;
}
