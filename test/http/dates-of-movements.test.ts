import { grantStoreTo } from '../../src/admin/stores';
import { usePos } from '../support/pos';
import { until } from '../support/until';

/* Dates of stock movements in a store whose stock decides what is on sale. */

const pos = usePos();

let storeId: number;
let posId: number;

beforeEach(async () => {
  ({ storeId, posId } = await pos.storeWithPos());
  await pos.owner.patch(`/store/${storeId}`, { availability_from_stock: 'on' });
});

/** The moment of the movement that counts in the store, seconds since the epoch. */
async function movedAt(): Promise<number | undefined> {
  const [level] = await pos.api.sql<{ movedAt: number }[]>`
    select floor(extract(epoch from moved_at))::bigint as moved_at from stock_level
    where store_id = ${storeId}::bigint`;
  return level?.movedAt;
}

describe.each([
  ['0000-01-01', '0001-01-01T00:00:00Z'],
  ['0001-01-01T00:00:00+01:00', '0001-01-01T00:00:00Z'],
  ['9999-12-31T23:59:59-05:00', '9999-12-31T23:59:59Z'],
  ['2016-12-31T23:59:60Z', '2016-12-31T23:59:59Z'],
])('a movement of %s counts as of %s', (date, countedAt) => {
  const seconds = Date.parse(countedAt) / 1000;

  test('if it goes to the POS', async () => {
    expect((await pos.update({ storeId, posId }, {}, { date })).status).toBe(200);
    await until(async () => (await movedAt()) === seconds);
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
    await until(async () => (await movedAt()) === seconds);
  });
});
