import { readSentPayload } from '../../src/webhooks/sent-payload';
import { findDelivery, listAttempts } from '../../src/webhooks/sql/delivery-views';
import type { UserId } from '../../src/platform/ids';
import { type ConsumerBench, createConsumerBench } from '../support/consumer-bench';
import { status } from '../support/webhook-receiver';

let bench: ConsumerBench;
beforeAll(async () => {
  bench = await createConsumerBench();
});
afterAll(() => bench.close());

test.each([1, 2] as const)(
  'the payload of a delivery of type %d is what its receiver got last, byte for byte',
  async (type) => {
    const path = `/payload-${type}`;
    bench.receiver.answer(path, (response, webhook, nth) =>
      status(nth === 1 ? 503 : 204)(response, webhook, nth),
    );
    const subscription = await bench.rows.subscribe({ url: bench.receiver.url + path, type });
    const [id] = await bench.rows.put(subscription);
    await bench.sendAll(subscription, { retryTable: [2_000] });
    const { sql } = bench.database;
    const operator = { userId: 'usr_op' as UserId, seesAll: true };
    const delivery = await findDelivery(sql, operator, id ?? '');
    if (!delivery) throw new Error('no delivery');
    const attempts = await listAttempts(sql, delivery.deliveryId);
    const bodies = bench.receiver.receivedAt(path).map(({ body }) => body);
    expect(bodies).toHaveLength(2);
    expect(bodies[0]).not.toBe(bodies[1]);
    expect(await readSentPayload(sql, delivery, attempts)).toEqual({ json: bodies[1], url: null });
    expect((await readSentPayload(sql, delivery, attempts.slice(0, 1))).json).toBe(bodies[0]);
    expect(await readSentPayload(sql, delivery, [])).toEqual({ json: null, url: null });
  },
);
