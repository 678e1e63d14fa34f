import { usePos } from '../support/pos';
import { until } from '../support/until';

/* Stock updates in a store whose stock decides what is on sale. */

const pos = usePos();

let storeId: number;
let posId: number;

beforeEach(async () => {
  ({ storeId, posId } = await pos.storeWithPos());
  await pos.owner.patch(`/store/${storeId}`, { availability_from_stock: 'on' });
});

function update(currentStock: string, headers: Record<string, string> = {}) {
  return pos.update({ storeId, posId }, headers, { current_stock: currentStock });
}

async function isOut(): Promise<boolean | undefined> {
  const [level] = await pos.api.sql<{ isOut: boolean }[]>`
    select is_out from stock_level where store_id = ${storeId}::bigint`;
  return level?.isOut;
}

async function isSettled(): Promise<boolean> {
  const waiting = await pos.api.sql`
    select from stock_movement where store_id = ${storeId}::bigint`;
  return waiting.length === 0;
}

async function waitsToStore(): Promise<boolean> {
  const waiting = await pos.api.sql`
    select from pg_locks join pg_database d on d.oid = pg_locks.database
    where d.datname = current_database() and relation = 'stock_movement'::regclass
      and not granted`;
  return waiting.length > 0;
}

test('an update that the POS accepted is answered only once it is stored', async () => {
  let isAnswered = false;
  const { sent } = await pos.api.sql.begin(async (tx) => {
    await tx`lock table stock_movement in exclusive mode`;
    const answer = update('0').finally(() => {
      isAnswered = true;
    });
    await until(waitsToStore);
    expect(isAnswered).toBe(false);
    return { sent: answer };
  });
  expect((await sent).status).toBe(200);
  await until(async () => (await isOut()) === true && (await isSettled()));
});

test('a retry after a crash neither reaches the POS again nor counts as a later movement', async () => {
  const key = { 'idempotency-key': 'move-1' };
  const first = await update('0', key);
  await until(isSettled);
  // As if the process had died between storing the movement and keeping the answer.
  await pos.api.sql`
    update idempotency_key set status = null, answer_encrypted = null, lease_until = now()
    where key = 'move-1'`;
  await update('10');
  await until(async () => (await isOut()) === false && (await isSettled()));
  const again = await update('0', key);
  expect([again.status, again.text]).toEqual([first.status, first.text]);
  await until(isSettled);
  expect(await isOut()).toBe(false);
  expect(await pos.received()).toHaveLength(2);
});
