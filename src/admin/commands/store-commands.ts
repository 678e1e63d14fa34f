import type { Command } from 'commander';
import type { AdminDeps } from '../admin-deps';
import { connectStoreTo } from '../integrations';
import { attachPosTo, createPosSystem } from '../pos';
import { createStore, grantStoreTo, purgeDeletedStore, revokeStoreFrom } from '../stores';
import { givenText, positiveInteger, type Print, type ReadSecret, shownName } from './options';

export function addStoreCommands(
  store: Command,
  deps: () => AdminDeps,
  print: Print,
  readSecret: ReadSecret,
): void {
  store
    .command('create')
    .requiredOption('--name <name>', '', shownName)
    .requiredOption('--country <code>', 'ISO 3166-1 alpha-2', givenText)
    .option('--user <user_id>', 'the user who gets the store', givenText)
    .option('--time-zone <zone>', 'for seasons and special days: America/Mexico_City', givenText)
    .action(async (options: { name: string; country: string; user?: string; timeZone?: string }) =>
      print(await createStore(deps(), { ...options, userId: options.user ?? null })),
    );
  store
    .command('grant')
    .requiredOption('--user <user_id>', '', givenText)
    .requiredOption('--store <store_id>', '', positiveInteger)
    .action(async (options: { user: string; store: number }) =>
      print(await grantStoreTo(deps(), options.user, options.store)),
    );
  store
    .command('revoke')
    .description('take a store from a user; links that nobody else holds up end')
    .requiredOption('--user <user_id>', '', givenText)
    .requiredOption('--store <store_id>', '', positiveInteger)
    .action(async (options: { user: string; store: number }) =>
      print(await revokeStoreFrom(deps(), options.user, options.store)),
    );
  store
    .command('purge')
    .description('remove all data of a deleted store at once')
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
    .description('connect a store to an integration, or change the connection')
    .requiredOption('--store <store_id>', '', positiveInteger)
    .requiredOption('--integration <integration_id>', '', positiveInteger)
    .option(
      '--credential <json>',
      'the store’s own credential, `-` = standard input; without it the store has no token',
      givenText,
    )
    .option(
      '--delivery-id <id>',
      'the store’s id in the delivery app; without it the app does not know the store',
      givenText,
    )
    .option('--keep', 'leave a credential or delivery id that is not given as it is')
    .action(
      async (options: {
        store: number;
        integration: number;
        credential?: string;
        deliveryId?: string;
        keep?: boolean;
      }) =>
        print(
          await connectStoreTo(deps(), {
            storeId: options.store,
            integrationId: options.integration,
            credential:
              options.credential === undefined ? null : await readSecret(options.credential),
            appStoreId: options.deliveryId ?? null,
            keep: options.keep ?? false,
          }),
        ),
    );
}

export function addPosCommands(
  pos: Command,
  deps: () => AdminDeps,
  print: Print,
  readSecret: ReadSecret,
): void {
  pos
    .command('create')
    .requiredOption('--name <name>', '', shownName)
    .requiredOption('--base-url <url>', '', givenText)
    .requiredOption(
      '--secret <secret>',
      'whsec_…, which requests to it are signed with; `-` = standard input',
      givenText,
    )
    .action(async (options: { name: string; baseUrl: string; secret: string }) =>
      print(
        await createPosSystem(deps(), { ...options, secret: await readSecret(options.secret) }),
      ),
    );
}
