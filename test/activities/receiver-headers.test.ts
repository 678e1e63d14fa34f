import { subscriptionHeadersContext } from '../../src/webhooks/sql/subscriptions';
import { type ConsumerBench, createConsumerBench } from '../support/consumer-bench';
import type { TestSubscription } from '../support/webhook-rows';

let bench: ConsumerBench;
beforeAll(async () => {
  bench = await createConsumerBench();
});
afterAll(() => bench.close());

async function setHeaders(of: TestSubscription, headers: object | null): Promise<void> {
  const { subscriptionId } = of;
  const context = subscriptionHeadersContext(subscriptionId);
  const sealed = headers && bench.rows.secrets.encrypt(JSON.stringify(headers), context);
  await bench.database.sql`
    update subscription set headers_encrypted = ${sealed}::bytea
    where subscription_id = ${subscriptionId}`;
}

test.each([1, 2] as const)(
  'every attempt of type %d has the receiver’s current headers',
  async (type) => {
    const { rows, receiver } = bench;
    const path = `/own-${type}`;
    receiver.answer(path, (response) => response.writeHead(type === 1 ? 200 : 204).end());
    const subscription = await rows.subscribe({ url: receiver.url + path, type });
    for (const headers of [
      { 'X-Api-Key': 'first', Authorization: 'Basic eA==' },
      { 'X-Api-Key': 'second' },
      null,
    ]) {
      await setHeaders(subscription, headers);
      await rows.put(subscription, 1);
      await bench.sendAll(subscription);
    }
    const received = receiver.receivedAt(path).map(({ headers }) => headers);
    expect(received.map((each) => each['x-api-key'])).toEqual(['first', 'second', undefined]);
    expect(received[0]?.['authorization']).toBe('Basic eA==');
    for (const each of received) {
      expect(each).toMatchObject({
        'content-type': 'application/json',
        'webhook-id': expect.stringMatching(/^msg_/),
        'x-signature-request': expect.stringMatching(/^v1=/),
      });
    }
  },
);
