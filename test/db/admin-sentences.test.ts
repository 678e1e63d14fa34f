import { createAdminProgram } from '../../src/admin/admin-program';
import { runAdmin } from '../../src/admin/run-admin';
import { newId } from '../../src/platform/ids';
import { adminCommand, type Said } from '../support/admin-command';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { startTransactionPooler } from '../support/transaction-pooler';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** The command on the database of these tests, or at another URL. */
function admin(
  args: readonly string[],
  { url = database.url, isTTY = false }: { url?: string; isTTY?: boolean } = {},
): Promise<Said> {
  return adminCommand(url, args, { isTTY });
}

/** The database's URL with another user, password, port or name. */
function changed(change: Partial<Pick<URL, 'password' | 'port' | 'pathname'>>): string {
  return Object.assign(new URL(database.url), change).href;
}

const LIST = ['integration', 'list'];

test('a pipe gets JSON, a terminal a table', async () => {
  const made = ['integration', 'configure', '--app', 'app-b', '--name', 'App B'];
  expect((await admin(made)).status).toBe(0);
  expect(JSON.parse((await admin(LIST)).out)).toMatchObject([{ app: 'app-b', name: 'App B' }]);
  const [head, row] = (await admin(LIST, { isTTY: true })).out.split('\n');
  expect(head).toMatch(/^integration_id +app +name +active/);
  expect(row).toMatch(/^1 +app-b +App B +/);
});

test('Temporal that is away is one sentence with the place and the setting', async () => {
  const { status, err } = await admin(['temporal', 'setup']);
  expect([status, err]).toEqual([
    1,
    'Temporal cannot be reached at 127.0.0.1:1; TEMPORAL_ADDRESS says where it is.\n',
  ]);
});

test('every failure of Postgres is one sentence, without Postgres’ own message and without the password', async () => {
  const at = new URL(database.url);
  const sentences = [
    [changed({ port: '1' }), `Postgres cannot be reached at ${at.hostname}:1 (ECONNREFUSED)`],
    [changed({ password: 'geheim' }), `Postgres does not let ${at.username} in`],
    [changed({ pathname: '/nowhere' }), `There is no database nowhere at ${at.host}`],
    [changed({ pathname: '/postgres' }), 'The schema of the database is not that of this version'],
  ] as const;
  for (const [url, sentence] of sentences) {
    const { status, out, err } = await admin(LIST, { url });
    expect({ status, out, err }).toEqual({ status: 1, out: '', err: expect.any(String) });
    expect(err).toContain(sentence);
    expect(err.trim().split('\n')).toHaveLength(1);
    expect(err).not.toMatch(/geheim|relation|at async/);
  }
});

test('a transaction pooler that refuses the settings of a session is one sentence with the remedy', async () => {
  const pooler = await startTransactionPooler(Number(new URL(database.url).port));
  const url = changed({ port: String(pooler.port) });
  const { status, err } = await admin(LIST, { url });
  await pooler.close();
  expect([status, err]).toEqual([
    1,
    `At ${new URL(url).host} a transaction pooler refuses the settings of a session (08P01): DATABASE_URL may lead to one if DATABASE_DIRECT_URL leads past it, to Postgres itself.\n`,
  ]);
});

test('an unstorable value is reported by its option', async () => {
  const store = ['store', 'create', '--name', 'S', '--country', 'MX', '--user', 'usr_nobody'];
  expect(await admin(store)).toMatchObject({
    status: 1,
    err: 'The user usr_nobody does not exist.\n',
  });
  const zoned = (zone: string) => admin([...store.slice(0, -2), '--time-zone', zone]);
  expect(await zoned('Mexico')).toMatchObject({
    status: 1,
    err: "Mexico is not a time zone of the IANA's list.\n",
  });
  const nul = await admin(['user', 'deactivate', '--user', 'a\0b']);
  expect(nul).toMatchObject({ status: 1, err: expect.stringContaining('SQLSTATE 22021') });
});

test.each(['', '  ', 'x'.repeat(256), '🍔'.repeat(256), 'a\u001Bb'])(
  '%j is no name, and nothing is made',
  async (name) => {
    for (const noun of ['user', 'store', 'pos']) {
      const rest = {
        user: [],
        store: ['--country', 'MX'],
        pos: ['--base-url', 'https://p.example'],
      };
      const words = [noun, 'create', '--name', name, ...(rest[noun as 'user'] ?? [])];
      const { status, out, err } = await admin(words);
      expect([status, out]).toEqual([1, '']);
      expect(err).toContain('It must have 1 to 255 characters');
    }
    expect(await database.sql`select 1 from store union all select 1 from pos_system`).toEqual([]);
  },
);

/** Every command, and its options that take a value. */
const commandsWithOptions = createAdminProgram(
  () => {
    throw new Error('no command runs');
  },
  () => {},
).commands.flatMap((noun) =>
  noun.commands.map((verb) => ({
    words: [noun.name(), verb.name()],
    options: verb.options.filter(({ required }) => required).map(({ long }) => long ?? ''),
  })),
);

test('no option takes an empty value', async () => {
  const all = commandsWithOptions.flatMap(({ words, options }) =>
    options.map((option) => [...words, option]),
  );
  expect(all.length).toBeGreaterThan(30);
  for (const words of all) {
    const { status, out, err } = await admin([...words, '']);
    expect([words, status, out, err]).toEqual([
      words,
      1,
      '',
      expect.stringMatching(/^error: option '[^']*' argument '' is invalid\. It must /),
    ]);
  }
});

test.each([
  [['user', 'create'], "required option '--name <name>' not specified"],
  [['user', 'create', '--name', 'x', '--nam', 'y'], "unknown option '--nam'"],
  [['user', 'mend'], "unknown command 'mend'"],
  [['store', 'grant', '--user', 'u', '--store', '1.5'], 'It must be a whole number.'],
])(
  '%j is answered with what is wrong, and the last line leads to the help',
  async (words, sentence) => {
    const { status, out, err } = await admin(words);
    expect([status, out]).toEqual([1, '']);
    const lines = err.trim().split('\n').filter(Boolean);
    expect(lines.at(0)).toContain(sentence);
    expect(lines.at(-1)).toBe('(--help after the command shows what it takes)');
    expect(lines.length).toBeLessThan(4);
  },
);

test('a user whose id was lost is found by a part of the name, also one that is deactivated', async () => {
  const create = ['user', 'create', '--permission', 'operator', '--name'];
  const made = JSON.parse((await admin([...create, 'Night Shift'])).out) as { user_id: string };
  await admin([...create, 'Day 100 %']);
  const found = await admin(['user', 'list', '--name', 'night']);
  const known = { user_id: made.user_id, name: 'Night Shift', permissions: ['operator'] };
  expect(JSON.parse(found.out)).toEqual([{ ...known, state: 'active' }]);
  await admin(['user', 'deactivate', '--user', made.user_id]);
  const [head, row] = (await admin(['user', 'list', '--name', 'NIGHT'], { isTTY: true })).out.split(
    '\n',
  );
  expect(head).toMatch(/^user_id +name +permissions +state$/);
  expect(row).toMatch(/^usr_\w+ +Night Shift +operator +deactivated$/);
  // Of a pattern it is the text, not the meaning.
  expect(JSON.parse((await admin(['user', 'list', '--name', '0 %'])).out)).toMatchObject([
    { name: 'Day 100 %' },
  ]);
});

const listMany = async (...more: string[]) =>
  JSON.parse((await admin(['user', 'list', '--name', 'Many ', ...more])).out) as {
    user_id: string;
    name: string;
  }[];

test('a deleted user stays deleted', async () => {
  const words = ['user', 'create', '--name', 'Gone'];
  const { user_id: userId } = JSON.parse((await admin(words)).out) as { user_id: string };
  const end = (verb: string) => admin(['user', verb, '--user', userId]);
  const deleted = await end('delete');
  expect(await end('deactivate')).toMatchObject({
    status: 1,
    err: `The user ${userId} was deleted.\n`,
  });
  expect(await end('delete')).toEqual(deleted);
  const [row] = await database.sql`select state from app_user where user_id = ${userId}`;
  expect(row).toEqual({ state: 'deleted' });
});

test('users are listed a hundred at a time, newest first, each of them once', async () => {
  for (let number = 1; number <= 150; number += 1) {
    await database.sql`
      insert into app_user (user_id, name) values (${newId('usr', number)}, ${`Many ${number}`})`;
  }
  const first = await listMany();
  const second = await listMany('--before', first.at(-1)?.user_id ?? '');
  expect([first.length, second.length]).toEqual([100, 50]);
  expect([...first, ...second].map(({ name }) => name)).toEqual(
    Array.from({ length: 150 }, (_, at) => `Many ${150 - at}`),
  );
});

test.each(['x', '🍔'])('the longest name is taken: 255 times %s', async (character) => {
  expect((await admin(['user', 'create', '--name', character.repeat(255)])).status).toBe(0);
});

test('tokens of a user that does not exist are a sentence and no empty list', async () => {
  const unknown = 'The user usr_nobody does not exist';
  for (const verb of ['list', 'create']) {
    const { status, err } = await admin(['token', verb, '--user', 'usr_nobody']);
    expect([status, err]).toEqual([1, expect.stringContaining(unknown)]);
  }
});

test('without any setting, whoever runs it may say what to do first', async () => {
  const said: string[] = [];
  const write = (text: string | Uint8Array) => said.push(String(text)) > 0;
  const streams = { out: { write }, err: { write }, unconfigured: 'Run npm start first.' };
  expect(await runAdmin(['node', 'admin', ...LIST], {}, streams)).toBe(1);
  expect(said).toEqual(['Run npm start first.\n']);
});

test('a store is made with its time zone', async () => {
  const made = await admin([
    'store',
    'create',
    '--name',
    'S',
    '--country',
    'MX',
    '--time-zone',
    'America/Mexico_City',
  ]);
  expect(made.status).toBe(0);
  expect(await database.sql`select time_zone from store`).toEqual([
    { timeZone: 'America/Mexico_City' },
  ]);
});
