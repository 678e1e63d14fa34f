import { execFileSync } from 'node:child_process';
import { createAdminProgram } from '../../src/admin/admin-program';
import { createSecretBox, toEncryptionKey } from '../../src/platform/crypto/secrets';
import { createTemporalClient } from '../../src/platform/temporal/connection';
import { createTestDatabase } from '../support/database';
import { blocksFor, pagesFor } from '../support/docs-ledger';
import { testTemporalAddress } from '../support/temporal';

/** The admin commands of all pages, one a line, in the order of the pages: the operators' has the users that others need. */
const COMMANDS = ['docs/operator.md', ...pagesFor('admin').filter((page) => !/operator/.test(page))]
  .flatMap((page) => blocksFor('admin', page))
  .flatMap(({ commands }) => commands.replaceAll('\\\n', ' ').trim().split('\n'));

/** The words of a command as a shell makes them. */
function wordsOf(command: string): string[] {
  const words = command.replace('npm run admin -- ', '');
  return execFileSync('sh', ['-c', `printf '%s\\0' ${words}`], { encoding: 'utf8' })
    .split('\0')
    .slice(0, -1);
}

test('every admin command in the docs except the purge works as written', async () => {
  const database = await createTestDatabase();
  const temporal = createTemporalClient({
    TEMPORAL_ADDRESS: testTemporalAddress(),
    TEMPORAL_NAMESPACE: 'default',
  });
  const deps = {
    sql: database.sql,
    secrets: createSecretBox([toEncryptionKey(Buffer.alloc(32, 7))]),
    temporal,
    settings: { PUBLIC_URL: 'https://pos.example.com' },
  };
  /** Replaces the placeholders by ids that earlier commands have printed; the guide's reader has made an App E. */
  const ids: Record<string, string> = { 'app-e': 'app-b', 5: '3' };
  const keep = (result: unknown): void => {
    const { user_id: user, token_id: token } = result as Record<string, string | undefined>;
    if (user) ids['usr_…'] = user;
    if (token) ids['tok_…'] = token;
  };
  const run = async (words: readonly string[]): Promise<void> => {
    const program = createAdminProgram(() => deps, keep);
    await program.parseAsync(
      words.map((word) => ids[word] ?? word),
      { from: 'user' },
    );
  };
  try {
    // The pages speak of integration 2. The operators' page purges a store that the API has deleted: test/http/purge.test.ts does.
    await run(['integration', 'configure', '--app', 'app-a', '--name', 'App A']);
    expect(COMMANDS.length).toBeGreaterThan(20);
    expect(COMMANDS.filter((each) => !each.startsWith('npm run admin -- '))).toEqual([]);
    for (const command of COMMANDS) {
      const words = wordsOf(command);
      if (words.join(' ').startsWith('store purge')) continue;
      const failed = await run(words).then(
        () => null,
        (error: unknown) => String(error),
      );
      expect([command, failed]).toEqual([command, null]);
      // The other pages' commands are about one who is still there.
      if (words.join(' ').startsWith('user delete')) await run(['user', 'create', '--name', 'N']);
    }
    // What `store connect` was told, which no command prints.
    expect(await database.sql`select delivery_id from store_integration order by 1`).toEqual([
      { deliveryId: 'merchant-77' },
      { deliveryId: 'shop-1' },
    ]);
  } finally {
    await temporal.connection.close();
    await database.drop();
  }
});
