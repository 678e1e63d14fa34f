import type { Command } from 'commander';
import { PERMISSIONS } from '../../users/sql/users';
import type { AdminDeps } from '../admin-deps';
import {
  activateAgain,
  changeUserPermissions,
  changeUserState,
  createSignInLink,
  createToken,
  createUser,
  endToken,
  showTokens,
  showUsers,
} from '../users';
import { givenText, positiveInteger, type Print, shownName } from './options';

export function addUserCommands(user: Command, deps: () => AdminDeps, print: Print): void {
  user
    .command('create')
    .requiredOption('--name <name>', '', shownName)
    .option('--permission <permission>', PERMISSIONS.join(', '), collect, [])
    .option('--all-permissions', 'every permission')
    .action(async (options: { name: string; permission: string[]; allPermissions?: boolean }) => {
      const permissions = options.allPermissions ? PERMISSIONS : options.permission;
      print(await createUser(deps(), { name: options.name, permissions }));
    });
  user
    .command('list')
    .description('100 users, the newest first')
    .option('--name <part>', 'only those with this in their names, in any case', givenText)
    .option('--before <user_id>', 'the next page: only those made before this user', givenText)
    .action(async ({ name, before }: { name?: string; before?: string }) =>
      print(await showUsers(deps(), { part: name ?? null, before: before ?? null })),
    );
  for (const [verb, state, effect] of [
    [
      'deactivate',
      'deactivated',
      'the tokens are refused, the webhooks send nothing and waiting events are discarded, until activate',
    ],
    ['delete', 'deleted', 'for ever'],
  ] as const) {
    user
      .command(verb)
      .description(effect)
      .requiredOption('--user <user_id>', '', givenText)
      .action(async (options: { user: string }) =>
        print(await changeUserState(deps(), options.user, state)),
      );
  }
  user
    .command('activate')
    .description('take back deactivate; what waits for the user’s systems goes out')
    .requiredOption('--user <user_id>', '', givenText)
    .action(async (options: { user: string }) => print(await activateAgain(deps(), options.user)));
  user
    .command('sign-in-link')
    .description('a link to the console for an active user: good once, for 15 minutes')
    .requiredOption('--user <user_id>', '', givenText)
    .action(async (options: { user: string }) =>
      print(await createSignInLink(deps(), options.user)),
    );
  user
    .command('permissions')
    .description('give and take permissions; tokens have them within 5 s')
    .requiredOption('--user <user_id>', '', givenText)
    .option('--add <permission>', PERMISSIONS.join(', '), collect, [])
    .option('--remove <permission>', '', collect, [])
    .action(
      async ({ user: userId, ...change }: { user: string; add: string[]; remove: string[] }) =>
        print(await changeUserPermissions(deps(), userId, change)),
    );
}

export function addTokenCommands(token: Command, deps: () => AdminDeps, print: Print): void {
  token
    .command('create')
    .requiredOption('--user <user_id>', '', givenText)
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
    .requiredOption('--user <user_id>', '', givenText)
    .action(async (options: { user: string }) => print(await showTokens(deps(), options.user)));
  token
    .command('revoke')
    .requiredOption('--token <token_id>', '', givenText)
    .action(async (options: { token: string }) => print(await endToken(deps(), options.token)));
}

function collect(value: string, previous: string[]): string[] {
  return [...previous, givenText(value)];
}
