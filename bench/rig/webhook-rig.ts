import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { startPostgres } from '../../dev/embedded-postgres';
import { findFreePort } from '../../dev/free-port';
import { findTemporalBinary } from '../../dev/temporal-binary';
import { startTemporal } from '../../dev/temporal-server';
import { createToken, createUser } from '../../src/admin/users';
import { createStore } from '../../src/admin/stores';
import { connect, type Sql } from '../../src/db/client';
import { migrate } from '../../src/db/migrate';
import { linkStore } from '../../src/db/store-links';
import { saveSubscription, subscriptionSecretContext } from '../../src/db/subscriptions';
import type { WebhookType } from '../../src/domain/webhook-body';
import { newId } from '../../src/ids';
import { createSecretBox, toEncryptionKey } from '../../src/secrets';
import { generateSecret } from '../../src/signing';
import { cpuSeconds } from './cpu';
import type { Arrivals } from './webhook-receiver';

export type Part = 'api' | 'worker' | 'postgres' | 'temporal' | 'receiver' | 'generator';

/** A deployment on one machine, every part a process of its own: nothing is simulated but the receivers. */
export interface WebhookRig {
  readonly sql: Sql;
  readonly api: Pool;
  readonly token: string;
  /** Makes stores with one linked system each and its webhook; their ids. */
  addStores(
    count: number,
    options: { type: WebhookType; path: string; maxInFlight?: number },
  ): Promise<number[]>;
  arrivals(): Promise<Arrivals>;
  /** Forgets what has arrived, and all deliveries. */
  reset(): Promise<void>;
  /** CPU seconds of each part so far. */
  cpu(): Record<Part, number>;
  stop(): Promise<void>;
}

export async function startWebhookRig(env: Record<string, string> = {}): Promise<WebhookRig> {
  const directory = await mkdtemp(join(tmpdir(), 'pos-integrations-bench-'));
  const postgres = await startPostgres({
    directory: join(directory, 'postgres'),
    settings: process.env['PGSS'] ? { shared_preload_libraries: 'pg_stat_statements' } : {},
  });
  await postgres.createDatabase('bench');
  const sql = connect(postgres.url('bench'), { max: 4 });
  await migrate(sql);
  const temporal = await startTemporal({
    binary: await findTemporalBinary(() => {}),
    directory: join(directory, 'temporal'),
    port: await findFreePort(),
    uiPort: null,
  });
  const key = randomBytes(32);
  const apiPort = await findFreePort();
  const childEnv = {
    ...process.env,
    DATABASE_URL: postgres.url('bench'),
    TEMPORAL_ADDRESS: temporal.address,
    ENCRYPTION_KEY: key.toString('base64'),
    HOST: '127.0.0.1',
    PORT: String(apiPort),
    WEBHOOK_ALLOW_HTTP: 'true',
    OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8',
    RATE_LIMIT_PER_SECOND: '1000000',
    ...env,
  };
  const worker = start('../../src/bin/worker.ts', childEnv);
  const apiProcess = start('../../src/bin/api.ts', childEnv);
  const receiver = start('./webhook-receiver.ts', process.env);
  const [{ port }] = (await once(receiver, 'message')) as [{ port: number }];
  const api = new Pool(`http://127.0.0.1:${apiPort}`, { connections: 256, pipelining: 1 });
  await untilReady(api);

  const user = await createUser(
    { sql },
    { name: 'bench', permissions: ['pos:events', 'inventory:create'] },
  );
  const { token } = await createToken({ sql }, { userId: user.user_id, expiresInSeconds: null });
  const secrets = createSecretBox([toEncryptionKey(key)]);

  async function ask(message: string): Promise<unknown> {
    receiver.send(message);
    const [answer] = (await once(receiver, 'message')) as [unknown];
    return answer;
  }

  return {
    sql,
    api,
    token,
    async addStores(count, { type, path, maxInFlight = 20 }) {
      const ids: number[] = [];
      for (let n = 0; n < count; n += 1) {
        const name = randomUUID();
        const store = await createStore({ sql }, { name, country: 'MX', userId: user.user_id });
        await sql`insert into user_store (user_id, store_id) values (${user.user_id}, ${store.store_id}::bigint) on conflict do nothing`;
        await sql`insert into inventory_system (inventory_system_id, name, name_key, created_by) values (${name}::uuid, ${name}, ${name}, ${user.user_id})`;
        const subscriptionId = newId('sub');
        await saveSubscription(sql, {
          inventorySystemId: name,
          type,
          newId: subscriptionId,
          newSecretEncrypted: secrets.encrypt(
            generateSecret(),
            subscriptionSecretContext(subscriptionId),
          ),
          url: `http://127.0.0.1:${port}${path}`,
          maxInFlight,
          mark: null,
        });
        await linkStore(sql, {
          inventorySystemId: name,
          storeId: store.store_id,
          externalStoreId: `ext-${n}`,
        });
        ids.push(store.store_id);
      }
      return ids;
    },
    arrivals: async () => (await ask('report')) as Arrivals,
    async reset() {
      await ask('reset');
      await sql`truncate delivery, attempt`;
    },
    cpu: () => ({
      api: cpuSeconds(apiProcess.pid ?? 0),
      worker: cpuSeconds(worker.pid ?? 0),
      postgres: cpuSeconds(postgres.pid),
      temporal: cpuSeconds(temporal.pid),
      receiver: cpuSeconds(receiver.pid ?? 0),
      generator: process.cpuUsage().user / 1e6 + process.cpuUsage().system / 1e6,
    }),
    async stop() {
      await api.close();
      await Promise.all([apiProcess, worker, receiver].map(end));
      await sql.end();
      await Promise.all([temporal.stop(), postgres.stop()]);
      await rm(directory, { recursive: true, force: true });
    },
  };
}

function start(file: string, env: NodeJS.ProcessEnv): ChildProcess {
  // Their log is written as in production, to a file that keeps nothing; warnings would be lost, so errors stay.
  const child = fork(join(__dirname, file), [], {
    execArgv: [
      '--import',
      'tsx',
      ...(env['PROFILE'] && file.includes(env['PROFILE_OF'] ?? 'worker.ts')
        ? ['--cpu-prof', '--cpu-prof-dir', env['PROFILE']]
        : []),
    ],
    env,
    stdio: ['ignore', env['BENCH_LOG'] ? 'inherit' : 'ignore', 'inherit', 'ipc'],
  });
  return child;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const force = setTimeout(() => child.kill('SIGKILL'), 15_000);
  await ended;
  clearTimeout(force);
}

async function untilReady(api: Pool): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    const ready = await api
      .request({ method: 'GET', path: '/health/ready' })
      .then(async (answer) => {
        await answer.body.dump();
        return answer.statusCode === 200;
      })
      .catch(() => false);
    if (ready) return;
    await sleep(100);
  }
  throw new Error('the API does not become ready');
}
