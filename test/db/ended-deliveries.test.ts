import { connect, type Sql } from '../../src/platform/db/client';
import type { Viewer } from '../../src/users/sql/users';
import { type DeliveryId, newId, type UserId } from '../../src/platform/ids';
import { findDeliveryOutcome } from '../../src/webhooks/sql/deliveries';
import { recordOutcomes } from '../../src/webhooks/sql/delivery-outcomes';
import { listDeliveries } from '../../src/webhooks/sql/delivery-lists';
import { findDelivery, listAttempts } from '../../src/webhooks/sql/delivery-views';
import { keepEndedPartitions, makePartition } from '../../src/webhooks/sql/ended-partitions';
import { resendDelivery } from '../../src/webhooks/sql/resends';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { asPool } from '../support/rows-read';
import {
  createWebhookRows,
  type TestSubscription,
  type WebhookRows,
} from '../support/webhook-rows';

let database: TestDatabase;
let rows: WebhookRows;
let subscription: TestSubscription;

beforeAll(async () => {
  database = await createTestDatabase();
  rows = await createWebhookRows(database.sql);
  subscription = await rows.subscribe({ url: 'https://stock.example/' });
});
afterAll(() => database.drop());

async function record(
  deliveryId: DeliveryId,
  number: number,
  state: 'acknowledged' | 'exhausted' | 'pending',
): Promise<void> {
  await database.sql`update delivery set lease_epoch = 1 where delivery_id = ${deliveryId}`;
  const attempt = {
    deliveryId,
    epoch: 1,
    number,
    state,
    delayMs: 0,
    attemptsBeforeResend: 0,
    afterResendMs: 0,
    startedAt: Date.now(),
    durationMs: number,
    status: state === 'acknowledged' ? 204 : 500,
    error: null,
    detail: null,
    response: 'words',
    message: null,
  } as const;
  await recordOutcomes(database.sql, { attempts: [attempt], released: [], health: [] });
}

describe('a delivery', () => {
  test('keeps its attempts when it ends and when it is sent again, and its attempt numbers continue', async () => {
    const [id] = (await rows.put(subscription)) as [DeliveryId];
    const before = await database.sql`
      select sequence, payload::text, payload_bytes from delivery where delivery_id = ${id}`;
    await record(id, 1, 'pending');
    await record(id, 2, 'exhausted');
    expect(await database.sql`select from attempt where delivery_id = ${id}`).toEqual([]);
    const numbers = async () => (await listAttempts(database.sql, id)).map(({ number }) => number);
    expect(await numbers()).toEqual([1, 2]);
    await resendDelivery(database.sql, id, null);
    expect(await rows.delivery(id)).toMatchObject({ state: 'pending', attemptsMade: 2 });
    expect(await numbers()).toEqual([1, 2]);
    expect(
      await database.sql`
        select sequence, payload::text, payload_bytes from delivery where delivery_id = ${id}`,
    ).toEqual(before);
    await record(id, 3, 'acknowledged');
    expect(await numbers()).toEqual([1, 2, 3]);
    expect(await rows.delivery(id)).toMatchObject({ state: 'acknowledged', attemptsMade: 3 });
  });

  test('is in exactly one table, whatever ends it and sends it again at the same moment', async () => {
    const ids = await rows.put(subscription, 60);
    await Promise.all(
      ids.flatMap((id, n) => [
        record(id, 1, n % 2 === 0 ? 'acknowledged' : 'pending'),
        resendDelivery(database.sql, id, null),
        resendDelivery(database.sql, id, null),
        record(id, 1, 'acknowledged'),
      ]),
    );
    const found = await database.sql<{ deliveryId: string; attemptsMade: number }[]>`
      select delivery_id, attempts_made from any_delivery where delivery_id = any(${ids}::text[])`;
    expect(found.map((row) => row.deliveryId).toSorted()).toEqual(ids.toSorted());
    for (const { deliveryId, attemptsMade } of found)
      expect(await listAttempts(database.sql, deliveryId as DeliveryId)).toHaveLength(attemptsMade);
  });

  test('resent at the moment of its last attempt gets another attempt', async () => {
    const ids = await rows.put(subscription, 60);
    for (const id of ids) await record(id, 1, 'pending');
    await Promise.all(
      ids.flatMap((id, n) => {
        const both = [record(id, 2, 'exhausted'), resendDelivery(database.sql, id, null)];
        return n % 2 === 0 ? both : both.toReversed();
      }),
    );
    for (const id of ids)
      expect(await rows.delivery(id)).toMatchObject({ state: 'pending', attemptsMade: 2 });
  });
});

async function put(count: number, daysAgo: number): Promise<void> {
  await database.sql`
    insert into ended_delivery (delivery_id, subscription_id, inventory_system_id, type, sequence, payload,
      state, request_id, user_id, created_at, finished_at, attempts_made, attempts_before_resend, attempts)
    select 'dlv_' || gen_random_uuid(), 'sub', gen_random_uuid(), 2, n, '{}', 'acknowledged', 'r', 'u', at,
      at, 0, 0, '{}'
    from generate_series(1, ${count}::int) as n,
      lateral (select now() - ${daysAgo}::int * interval '1 day' as at) as ended`;
}

async function countIn(table: string): Promise<number | undefined> {
  const [found] = await database.sql<{ here: boolean }[]>`
    select to_regclass(${table}) is not null as here`;
  if (!found?.here) return undefined;
  const [row] = await database.sql<{ n: number }[]>`
    select count(*)::int as n from ${database.sql(table)}`;
  return row?.n;
}

const today = Math.floor(Date.now() / 86_400_000);

function nameOf(from: number, to = from + 1): string {
  const [first, end] = [from, to].map((day) => new Date(day * 86_400_000).toISOString());
  return `ended_delivery_${dayText(first)}_${dayText(end)}`;
}

function dayText(iso = ''): string {
  return iso.slice(0, 10).replaceAll('-', '');
}

describe('partitions', () => {
  // The database was made from a template, which may have been made the day before.
  beforeAll(() => keepEndedPartitions(database.sql, 30));

  test('are made days ahead, once, by any number of processes', async () => {
    const last = nameOf(today + 3);
    await database.sql.unsafe(`drop table ${last}`);
    await Promise.all([1, 2, 3].map(() => keepEndedPartitions(database.sql, 30)));
    expect(await countIn(last)).toBe(0);
    expect(await countIn(nameOf(today + 4))).toBeUndefined();
  });

  test('get wider with the retention, so that a list reads a limited number', async () => {
    await database.sql.unsafe(`drop table ${nameOf(today + 3)}`);
    await keepEndedPartitions(database.sql, 3_650);
    const wide = nameOf(today + 3, today + 3 + 122);
    expect(await countIn(wide)).toBe(0);
    await database.sql.unsafe(`drop table ${wide}`);
    await keepEndedPartitions(database.sql, 30);
  });

  test('are dropped as a whole when their last row has expired, not earlier', async () => {
    await makePartition(database.sql, today - 32, today - 31);
    await makePartition(database.sql, today - 30, today - 29);
    await put(7, 32);
    await put(5, 30);
    expect(await keepEndedPartitions(database.sql, 31)).toBe(1);
    expect(await countIn(nameOf(today - 32))).toBeUndefined();
    expect(await countIn(nameOf(today - 30))).toBe(5);
  });

  test('are dropped even if a process died between the two halves of the drop', async () => {
    await makePartition(database.sql, today - 40, today - 39);
    await database.sql.unsafe(`alter table ended_delivery detach partition ${nameOf(today - 40)}`);
    expect(await keepEndedPartitions(database.sql, 31)).toBe(1);
    expect(await countIn(nameOf(today - 40))).toBeUndefined();
  });

  test('take their rows over from the default partition, up to ten thousand', async () => {
    await put(10_001, 20);
    await makePartition(database.sql, today - 20, today - 19);
    expect(await countIn(nameOf(today - 20))).toBeUndefined();
    await database.sql`
      delete from ended_delivery_default where delivery_id = (
        select delivery_id from ended_delivery_default limit 1)`;
    await makePartition(database.sql, today - 20, today - 19);
    expect(await countIn(nameOf(today - 20))).toBe(10_000);
    expect(await countIn('ended_delivery_default')).toBe(0);
  });

  test('are not waited for: during a long read none is made, nor half of one', async () => {
    await makePartition(database.sql, today - 50, today - 49);
    const reader = connect(database.url, { max: 1 });
    await reader.begin(async (tx) => {
      await tx`select count(*) from ended_delivery`;
      expect(await keepEndedPartitions(database.sql, 31)).toBeUndefined();
    });
    await reader.end();
    expect(await countIn(nameOf(today - 50))).toBe(0);
    expect(await keepEndedPartitions(database.sql, 31)).toBe(1);
  });
});

describe('older partitions', () => {
  const old = nameOf(today - 10);
  let viewer: Viewer;
  const made: string[] = [];
  beforeAll(async () => {
    await makePartition(database.sql, today - 10, today - 9);
    const own = await rows.subscribe({ url: 'https://lists.example/' });
    const [owner] = await database.sql<{ userId: UserId }[]>`
      select created_by as user_id from inventory_system
      where inventory_system_id = ${own.inventorySystemId}::uuid`;
    viewer = { userId: owner?.userId ?? ('' as UserId), seesAll: false };
    await database.sql`delete from delivery`;
    await database.sql`delete from ended_delivery`;
    for (let n = 0; n < 5; n += 1) {
      const id = newId('dlv', Date.now() - 10 * 86_400_000 + n);
      await database.sql`
        insert into ended_delivery (delivery_id, subscription_id, inventory_system_id, type, sequence, payload,
          state, request_id, user_id, created_at, finished_at, attempts_made, attempts_before_resend, attempts)
        values (${id}, ${own.subscriptionId}, ${own.inventorySystemId}::uuid, 2, ${n}, '{}', 'acknowledged', 'r',
          'u', now(), now() - interval '10 days', 0, 0, '{}')`;
      made.push(id);
    }
    const young = await rows.put(own, 5);
    for (const id of young.slice(0, 3)) await record(id, 1, 'acknowledged');
    made.push(...young);
  });

  /** How often the statements of `work` read the partition or an index of it. */
  function looksOf(work: (sql: Sql) => Promise<unknown>): Promise<number> {
    return database.sql.begin(async (tx) => {
      const count = async () => {
        const [row] = await tx<{ n: number }[]>`
          select (coalesce(idx_scan, 0) + seq_scan)::int as n from pg_stat_xact_user_tables
          where relname = ${old}`;
        return row?.n ?? Number.NaN;
      };
      const before = await count();
      await work(asPool(tx));
      return (await count()) - before;
    });
  }

  test('are in the lists, newest first and page by page, wherever a page ends', async () => {
    const newestFirst = made.toSorted().toReversed();
    for (const limit of [1, 3, 4, 7, 10, 100]) {
      const found: string[] = [];
      for (let before: string | undefined; ; before = found.at(-1)) {
        const { rows: page } = await listDeliveries(database.sql, viewer, {
          events: false,
          limit,
          ...(before === undefined ? {} : { before }),
        });
        found.push(...page.map((row) => row.deliveryId));
        if (page.length < limit) break;
      }
      expect(found).toEqual(newestFirst);
    }
  });

  test('are not read for a recent delivery, or for a page that recent ones fill', async () => {
    const young = made.at(-4) as DeliveryId;
    const looks = await looksOf(async (sql) => {
      expect(await findDeliveryOutcome(sql, young)).toMatchObject({ state: 'acknowledged' });
      expect(await findDelivery(sql, viewer, young)).toMatchObject({ state: 'acknowledged' });
      expect(await listAttempts(sql, young)).toHaveLength(1);
      const page = await listDeliveries(sql, viewer, { events: false, limit: 5 });
      expect(page.rows).toHaveLength(5);
    });
    expect(looks).toBe(0);
    const further = await looksOf((sql) =>
      listDeliveries(sql, viewer, { events: false, limit: 6 }),
    );
    expect(further).toBeGreaterThan(0);
  });
});
