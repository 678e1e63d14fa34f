import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type Sql, type Transaction } from '../../src/platform/db/client';
import { type Listener, listenResiliently } from '../../src/platform/db/listen';
import { type MortalServer, startMortalPostgres } from '../support/own-servers';
import { until } from '../support/until';

/*
 * A former primary that stays up and takes no writes, and a new one at the same address. One server stands for both:
 * sessions that exist take no writes any more, and new ones do.
 */

let server: MortalServer;
let sql: Sql;
let listener: Listener | undefined;
beforeAll(async () => {
  server = await startMortalPostgres();
});
afterAll(() => server.remove());
beforeEach(() => {
  sql = connect(server.address, { max: 4 });
});
afterEach(async () => {
  await listener?.stop();
  await sql.end({ timeout: 1 });
  await configure('reset default_transaction_read_only');
});

async function fence(): Promise<void> {
  await configure(
    'set default_transaction_read_only = on',
    'set default_transaction_read_only = off',
  );
}

/** What stands for the database applies to new sessions only, before what stands for the server. */
async function configure(ofServer: string, ofNewSessions = ofServer): Promise<void> {
  const admin = connect(server.address, { max: 1 });
  await admin.unsafe(`alter database app ${ofNewSessions}`);
  await admin.unsafe(`alter system ${ofServer}`);
  await admin`select pg_reload_conf()`;
  await admin.end();
}

test('a listener leaves a server that takes no writes any more', async () => {
  let timesListening = 0;
  const onListening = () => void (timesListening += 1);
  listener = await listenResiliently(server.address, ['orders'], { onNotify() {}, onListening });
  await fence();
  await until(() => timesListening === 2, 20_000);
  // To its successor it stays.
  await sleep(2_500);
  expect(timesListening).toBe(2);
});

/** The sessions of the pool, and whether they take no writes. */
async function sessions() {
  const rows = await Promise.all(
    [1, 2, 3, 4].map(
      () => sql<{ pid: number; setting: string }[]>`
      select pg_backend_pid() as pid, current_setting('transaction_read_only') as setting, pg_sleep(0.2) is null`,
    ),
  );
  return new Map(rows.flat().map(({ pid, setting }) => [pid, setting]));
}

const write = (on: Transaction) => on`update webhook_timeline set timeline = timeline`;

test.each([
  ['a write', async () => write(sql)],
  ['a write in a transaction', async () => sql.begin(async (tx) => write(tx))],
])(
  '%s that is refused replaces all connections, those in use as soon as they are given back',
  async (_name, refused) => {
    const former = await sessions();
    const inUse = (async () => sql`select pg_sleep(2)`)();
    await sleep(100);
    await fence();
    expect([...(await sessions()).values()]).toContain('on');
    await expect(refused()).rejects.toMatchObject({ code: '25006' });
    await inUse;
    const later = await sessions();
    expect([...later.values()]).toEqual(['off', 'off', 'off', 'off']);
    expect([...later.keys()].filter((pid) => former.has(pid))).toEqual([]);
  },
);
