import { text as textOf } from 'node:stream/consumers';
import { Command, InvalidArgumentError } from 'commander';
import { PERMISSIONS } from '../users/sql/users';
import { type AdminDeps, AdminError } from './admin-deps';
import { reencryptSecrets } from './reencrypt';
import { configureIntegration, connectStoreTo, showIntegrations } from './integrations';
import { attachPosTo, createPosSystem } from './pos';
import { createStore, grantStoreTo, purgeDeletedStore } from './stores';
import { setUpTemporal } from './temporal';
import { changeUserState, createToken, createUser, endToken, showTokens } from './users';

type Print = (result: unknown) => void;

/** The value of a secret option: as given, or for `-` read from standard input, without its last line end. */
type ReadSecret = (given: string) => Promise<string>;

/**
 * The administration commands. The running command calls `deps`; `print` gets its single result. Secrets in arguments
 * are visible to everyone who may list processes, so each may be given as `-` and is then read from `input`.
 */
export function createAdminProgram(
  deps: () => AdminDeps,
  print: Print,
  input: NodeJS.ReadableStream = process.stdin,
): Command {
  const readSecret: ReadSecret = async (given) => (given === '-' ? readInput(input) : given);
  const program = new Command('admin').exitOverride();
  addUserCommands(noun(program, 'user', 'the people and programs that hold tokens'), deps, print);
  addTokenCommands(noun(program, 'token', 'bearer tokens'), deps, print);
  addStoreCommands(noun(program, 'store', 'places of sale'), deps, print, readSecret);
  addIntegrationCommands(noun(program, 'integration', 'delivery apps'), deps, print, readSecret);
  addPosCommands(noun(program, 'pos', 'point-of-sale systems'), deps, print, readSecret);
  noun(program, 'secrets', 'secrets at rest')
    .command('rotate')
    .description('seal every secret anew with ENCRYPTION_KEY')
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

function addUserCommands(user: Command, deps: () => AdminDeps, print: Print): void {
  user
    .command('create')
    .requiredOption('--name <name>')
    .option('--permission <permission>', PERMISSIONS.join(', '), collect, [])
    .option('--all-permissions', 'every permission there is')
    .action(async (options: { name: string; permission: string[]; allPermissions?: boolean }) => {
      const permissions = options.allPermissions ? PERMISSIONS : options.permission;
      print(await createUser(deps(), { name: options.name, permissions }));
    });
  for (const [verb, state] of [
    ['deactivate', 'deactivated'],
    ['delete', 'deleted'],
  ] as const) {
    user
      .command(verb)
      .requiredOption('--user <user_id>')
      .action(async (options: { user: string }) =>
        print(await changeUserState(deps(), options.user, state)),
      );
  }
}

function addTokenCommands(token: Command, deps: () => AdminDeps, print: Print): void {
  token
    .command('create')
    .requiredOption('--user <user_id>')
    .option('--expires-in <seconds>', 'default: never', positiveInteger)
    .action(async (options: { user: string; expiresIn?: number }) =>
      print(
        await createToken(deps(), {
          userId: options.user,
          expiresInSeconds: options.expiresIn ?? null,
        }),
      ),
    );
  token
    .command('list')
    .requiredOption('--user <user_id>')
    .action(async (options: { user: string }) => print(await showTokens(deps(), options.user)));
  token
    .command('revoke')
    .requiredOption('--token <token_id>')
    .action(async (options: { token: string }) => print(await endToken(deps(), options.token)));
}

function addStoreCommands(
  store: Command,
  deps: () => AdminDeps,
  print: Print,
  readSecret: ReadSecret,
): void {
  store
    .command('create')
    .requiredOption('--name <name>')
    .requiredOption('--country <code>', 'ISO 3166-1 alpha-2')
    .option('--user <user_id>', 'who gets the store')
    .action(async (options: { name: string; country: string; user?: string }) =>
      print(await createStore(deps(), { ...options, userId: options.user ?? null })),
    );
  store
    .command('grant')
    .requiredOption('--user <user_id>')
    .requiredOption('--store <store_id>', '', positiveInteger)
    .action(async (options: { user: string; store: number }) =>
      print(await grantStoreTo(deps(), options.user, options.store)),
    );
  store
    .command('purge')
    .description('removes all data of a store that was deleted, at once')
    .requiredOption('--store <store_id>', '', positiveInteger)
    .action(async (options: { store: number }) =>
      print(await purgeDeletedStore(deps(), options.store)),
    );
  store
    .command('pos')
    .requiredOption('--store <store_id>', '', positiveInteger)
    .requiredOption('--pos <pos_id>', '', positiveInteger)
    .action(async (options: { store: number; pos: number }) =>
      print(await attachPosTo(deps(), options.store, options.pos)),
    );
  store
    .command('connect')
    .requiredOption('--store <store_id>', '', positiveInteger)
    .requiredOption('--integration <integration_id>', '', positiveInteger)
    .option(
      '--credential <json>',
      'the store’s own credential, `-` = standard input; without it the store has no token',
    )
    .option('--delivery-id <id>', 'the store’s id in the delivery app')
    .action(
      async (options: {
        store: number;
        integration: number;
        credential?: string;
        deliveryId?: string;
      }) =>
        print(
          await connectStoreTo(deps(), {
            storeId: options.store,
            integrationId: options.integration,
            credential:
              options.credential === undefined ? null : await readSecret(options.credential),
            appStoreId: options.deliveryId ?? null,
          }),
        ),
    );
}

function addPosCommands(
  pos: Command,
  deps: () => AdminDeps,
  print: Print,
  readSecret: ReadSecret,
): void {
  pos
    .command('create')
    .requiredOption('--name <name>')
    .requiredOption('--base-url <url>')
    .requiredOption(
      '--secret <secret>',
      'whsec_…, which requests to it are signed with; `-` = standard input',
    )
    .action(async (options: { name: string; baseUrl: string; secret: string }) =>
      print(
        await createPosSystem(deps(), { ...options, secret: await readSecret(options.secret) }),
      ),
    );
}

interface ConfigureOptions {
  readonly integration?: number;
  readonly app: string;
  readonly name?: string;
  readonly baseUrl?: string;
  readonly clientId?: string;
  readonly clientSecret?: string;
  readonly webhookSecret?: string;
  readonly active?: boolean;
  readonly inactive?: boolean;
  readonly maxInFlight?: number;
}

function addIntegrationCommands(
  integration: Command,
  deps: () => AdminDeps,
  print: Print,
  readSecret: ReadSecret,
): void {
  integration.command('list').action(async () => print(await showIntegrations(deps())));
  integration
    .command('configure')
    .description('make an integration, or change what is given of one')
    .option('--integration <integration_id>', 'the one to change', positiveInteger)
    .requiredOption('--app <app>', 'app-a, app-b, app-c or app-d')
    .option('--name <name>')
    .option('--base-url <url>')
    .option('--client-id <id>')
    .option('--client-secret <secret>', '`-` = standard input')
    .option(
      '--webhook-secret <secret>',
      'signs the webhooks of App D; several with commas between; `-` = standard input',
    )
    .option('--active')
    .option('--inactive')
    .option(
      '--max-in-flight <pushes>',
      'pushes at once, in one worker: 1–500, default 50',
      positiveInteger,
    )
    .action(async (options: ConfigureOptions) =>
      print(
        await configureIntegration(deps(), {
          integrationId: options.integration ?? null,
          app: options.app,
          name: options.name ?? null,
          baseUrl: options.baseUrl ?? null,
          clientId: options.clientId ?? null,
          clientSecret:
            options.clientSecret === undefined ? null : await readSecret(options.clientSecret),
          webhookSecret:
            options.webhookSecret === undefined ? null : await readSecret(options.webhookSecret),
          active: options.active ? true : options.inactive ? false : null,
          maxInFlight: options.maxInFlight ?? null,
        }),
      ),
    );
}

function collect(value: string, previous: string[]): string[] {
  return [...previous, value];
}

function positiveInteger(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}

/** The whole input as text, without the line end that an editor or `echo` adds. */
async function readInput(input: NodeJS.ReadableStream): Promise<string> {
  const value = (await textOf(input)).replace(/\r?\n$/, '');
  if (value === '') throw new AdminError('Standard input is empty.');
  return value;
}
