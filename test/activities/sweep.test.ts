import { MockActivityEnvironment } from '@temporalio/testing';
import { until } from '../support/until';
import { restWhenQuiet } from '../../activities/retention-kinds';
import { createSweepActivities, type SweepReport } from '../../activities/sweep-activities';
import { createUser } from '../../src/admin/users';
import { createLog } from '../../src/platform/observe/log';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { createWebhookRows } from '../support/webhook-rows';

let database: TestDatabase;
let stopSweeping: AbortController | undefined;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(async () => {
  // A sweep of a test that failed would go on for an hour.
  stopSweeping?.abort();
  await database.drop();
});

/** A sweep of rounds without a pause worth the name, and the shards that it woken. */
function startSweeping() {
  const stopping = new AbortController();
  stopSweeping = stopping;
  const woken: unknown[] = [];
  const logged: string[] = [];
  const activities = createSweepActivities({
    sql: database.sql,
    waker: {
      async wake(_kind, key) {
        woken.push(key);
        return 'woken';
      },
      ended: async () => {},
    },
    log: createLog('info', { write: (line) => void logged.push(line) }),
    retentionDays: 30,
    stopping: stopping.signal,
    everyMs: 20,
  });
  const beats: unknown[] = [];
  const environment = new MockActivityEnvironment();
  environment.on('heartbeat', (details: unknown) => beats.push(details));
  const report: Promise<SweepReport> = environment.run(() => activities.sweepForAnHour());
  return {
    woken,
    beats,
    hasLogged: (words: string) => logged.some((line) => line.includes(words)),
    report,
    stop: () => stopping.abort(),
    cancel: () => environment.cancel(),
  };
}

async function putOverdue(): Promise<number> {
  const rows = await createWebhookRows(database.sql);
  const subscription = await rows.subscribe({ url: 'https://stock.example/' });
  await rows.put(subscription);
  await database.sql`
    update delivery set created_at = now() - interval '31 s', due_at = now() - interval '31 s'`;
  return subscription.shard;
}

test('in each round until the worker stops, an overdue shard is woken once and then backed off', async () => {
  const shard = await putOverdue();
  const sweeping = startSweeping();
  await until(() => sweeping.woken.length > 0);
  const late = await putOverdue();
  await until(() => sweeping.woken.length > 1 || late === shard);
  sweeping.stop();
  const { rounds, woken } = await sweeping.report;
  expect(rounds).toBeGreaterThanOrEqual(1);
  expect(sweeping.woken).toEqual([...new Set([shard, late])]);
  expect(woken).toBe(sweeping.woken.length);
});

async function putExpiredKey(): Promise<void> {
  const { user_id } = await createUser({ sql: database.sql }, { name: 'A user', permissions: [] });
  await database.sql`
    insert into idempotency_key (user_id, method, path, key, body_sha256, owner, lease_until, created_at)
    values (${user_id}, 'POST', '/', 'old', '', '', now(), now() - interval '25 hours')`;
}

const areKeysRemoved = async () => (await database.sql`select from idempotency_key`).length === 0;

test('expired rows are removed', async () => {
  await putExpiredKey();
  const sweeping = startSweeping();
  await until(areKeysRemoved);
  sweeping.cancel();
  expect((await sweeping.report).woken).toBe(0);
});

test('a kind of which nothing had expired is looked for again in the thirtieth round, what users ordered in each', async () => {
  let [looks, left] = [0, 0];
  const removeSome = async () => {
    looks += 1;
    return left > 0 ? left-- : 0;
  };
  const kind = restWhenQuiet({ name: 'rows', removeSome });
  const rounds = async (count: number) => {
    for (let at = 0; at < count; at += 1) await kind.removeSome(1);
    return looks;
  };
  expect(await rounds(30)).toBe(1);
  left = 3;
  // It goes on while there is something.
  expect(await rounds(4)).toBe(5);
  expect(await rounds(29)).toBe(5);
  expect(await rounds(1)).toBe(6);
  const ordered = restWhenQuiet({ name: 'ordered', isPrompt: true, removeSome });
  await ordered.removeSome(1);
  await ordered.removeSome(1);
  expect(looks).toBe(8);
});

test('a kind that failed is looked for in the next round', async () => {
  let looks = 0;
  const kind = restWhenQuiet({
    name: 'rows',
    removeSome: () => {
      looks += 1;
      return Promise.reject(new Error('it cannot'));
    },
  });
  await expect(kind.removeSome(1)).rejects.toThrow('it cannot');
  await expect(kind.removeSome(1)).rejects.toThrow('it cannot');
  expect(looks).toBe(2);
});

test('a kind of workflow that cannot be swept keeps neither wakes of others nor expired rows waiting', async () => {
  const shard = await putOverdue();
  await putExpiredKey();
  await database.sql`alter table rollout rename to out_of_reach`;
  const sweeping = startSweeping();
  await until(() => sweeping.woken.length > 0);
  await until(areKeysRemoved, 20_000);
  sweeping.stop();
  expect(sweeping.woken).toEqual([shard]);
  expect((await sweeping.report).woken).toBe(1);
});

test('an outage of Postgres costs rounds, not the sweep', async () => {
  const shard = await putOverdue();
  await database.sql`alter table webhook_shard rename to out_of_reach`;
  const sweeping = startSweeping();
  await until(() => sweeping.hasLogged('the sweep fails'));
  expect(sweeping.woken).toEqual([]);
  await database.sql`alter table out_of_reach rename to webhook_shard`;
  await until(() => sweeping.hasLogged('the sweep works again'));
  sweeping.stop();
  expect(sweeping.woken).toEqual([shard]);
  expect((await sweeping.report).rounds).toBeGreaterThan(1);
});
