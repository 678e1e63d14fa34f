import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from '../../src/platform/db/client';
import { createDrainBench, type DrainBench } from '../support/drain-bench';
import { until } from '../support/until';

let bench: DrainBench;
beforeAll(async () => {
  bench = await createDrainBench();
});
afterAll(() => bench.close());

/** As with thousands of subscriptions that wait. The next look of its own comes thirty times as late. */
const LOOK_MS = 500;

test('a line that is taken during a look is looked at right after it, however long that one took', async () => {
  const { rows, receiver } = bench;
  const first = await rows.subscribe({ url: `${receiver.url}/first` });
  const second = await rows.subscribe({ url: `${receiver.url}/second` });
  await rows.put(second);
  let looks = 0;
  const worker = bench.startWorker({ watchSql: withSlowLooks(bench.database.sql, () => looks++) });
  bench.startDrain(worker, first);
  await until(() => looks === 1);
  bench.startDrain(worker, second);
  await until(() => receiver.receivedAt('/second').length > 0, 15 * LOOK_MS);
  expect(receiver.receivedAt('/second')).toHaveLength(1);
});

function withSlowLooks(sql: Sql, onLook: () => void): Sql {
  return new Proxy(sql, {
    apply(target, self, [strings, ...values]: Parameters<Sql>) {
      const query: unknown = Reflect.apply(target, self, [strings, ...values]);
      if (!strings.join('').includes('where due_ms <=')) return query;
      onLook();
      return sleep(LOOK_MS).then(() => query);
    },
  });
}
