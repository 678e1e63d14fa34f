import { grantStoreTo } from '../../src/admin/stores';
import { usePos } from '../support/pos';
import { until } from '../support/until';

/* Dates of stock movements in a store whose stock decides what is on sale. */

const pos = usePos();

let storeId: number;
let posId: number;

beforeEach(async () => {
  ({ storeId, posId } = await pos.storeWithPos());
  await pos.owner.patch(`/store/${storeId}`, {
    availability_from_stock: 'on',
    time_zone: 'America/Mexico_City',
  });
});

/** The moment of the movement that counts in the store, in seconds; the second field is the database's now. */
async function movedAt(): Promise<readonly [number, number] | undefined> {
  const [level] = await pos.api.sql<{ at: number; now: number }[]>`
    select floor(extract(epoch from moved_at))::float8 as at, extract(epoch from now())::float8 as now
    from stock_level where store_id = ${storeId}::bigint`;
  return level && [level.at, level.now];
}

const HOUR_MS = 3_600_000;
const iso = (ms: number) => new Date(Date.now() + ms).toISOString();
/** Mexico is 6 hours behind UTC, all year. */
const local = (ms: number) => iso(ms - 6 * HOUR_MS).slice(0, 19);

async function isAsOf(date: string | null): Promise<void> {
  await until(async () => (await movedAt()) !== undefined);
  const [at = 0, now = 0] = (await movedAt()) ?? [];
  const said = date === null ? now - 60 : Math.floor(Date.parse(date) / 1_000);
  expect(at).toBeGreaterThanOrEqual(said);
  expect(at).toBeLessThanOrEqual(date === null ? now : said);
}

const TWO_HOURS_AGO = iso(-2 * HOUR_MS);

describe.each([
  [TWO_HOURS_AGO, TWO_HOURS_AGO],
  [local(-2 * HOUR_MS), TWO_HOURS_AGO],
  [TWO_HOURS_AGO.slice(0, 10), null],
  ['0000-01-01', null],
  ['0001-01-01T00:00:00+01:00', null],
  ['0000-01-01T00:00:00', null],
  ['9999-12-31T23:59:59-05:00', null],
  ['2036-11-28T10:00:00Z', null],
])('a movement of %s counts as of %s, or of its acceptance', (date, countedAt) => {
  test('if it goes to the POS', async () => {
    expect((await pos.update({ storeId, posId }, {}, { date })).status).toBe(200);
    await isAsOf(countedAt);
    const [request] = await pos.received();
    expect(JSON.parse(request?.body ?? '{}')).toMatchObject({ date });
  });

  test('if the POS sent it', async () => {
    const sender = await pos.api.user('pos:events');
    await grantStoreTo({ sql: pos.api.sql }, sender.userId, storeId);
    const movement = {
      external_id: 'item-1',
      current_stock: '0',
      quantity: '2',
      date,
      movement_type: 1,
    };
    const answer = await sender.post(`/pos/store/${storeId}/inventory/stock`, movement);
    expect(answer.status).toBe(200);
    await isAsOf(countedAt);
  });
});
