import { setTimeout as sleep } from 'node:timers/promises';
import { createLog } from '../../src/platform/observe/log';
import { createTemporalClient, PROMPT_CALL_MS } from '../../src/platform/temporal/connection';
import { watchTemporal } from '../../src/platform/temporal/reachability';

/** Nothing listens on port 1. */
const NOWHERE = { TEMPORAL_ADDRESS: '127.0.0.1:1', TEMPORAL_NAMESPACE: 'x' };

test('without Temporal waiting callers are answered within seconds, and the log says where it should be', async () => {
  const client = createTemporalClient(NOWHERE, { callTimeoutMs: PROMPT_CALL_MS });
  const startedAt = Date.now();
  const said: string[] = [];
  const log = createLog('warn', { write: (line) => void said.push(line) });
  const lost = new Promise<void>((resolve) => {
    const watch = watchTemporal(client, 'temporal:7233', log, () => {
      resolve(watch.stop());
    });
  });
  await lost;
  expect(Date.now() - startedAt).toBeLessThan(5_000);
  expect(said.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({
      address: 'temporal:7233',
      reason: expect.any(String),
      msg: 'Temporal is not reachable; accepted work waits',
    }),
  ]);
  await client.connection.close();
});

test('when stopped, it leaves no call behind that would find its connection closed', async () => {
  const client = createTemporalClient(NOWHERE, { callTimeoutMs: PROMPT_CALL_MS });
  const watch = watchTemporal(client, 'temporal:7233', createLog('silent'), () => {});
  await sleep(150);
  await watch.stop();
  await client.connection.close();
  // A remaining retry would throw now, in a timer, where nothing can catch it.
  await sleep(2_500);
  expect(watch.isReachable()).toBe(true); // the answer that it did not wait for changes nothing
});
