import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import { createLog } from '../../src/platform/observe/log';
import { menuPublicationId } from '../../src/platform/temporal/workflow-names';
import { menuPublicationWorkflow } from '../../src/uploads/queue';
import { createWaker, type Waker } from '../../src/platform/queue/waker';
import { createTemporalClient } from '../../src/platform/temporal/connection';
import { startFaultProxy } from '../support/fault-proxy';
import { until } from '../support/until';
import { testTemporalAddress } from '../support/temporal';
import { takeNamespace } from '../support/temporal-namespace';

const log = createLog('silent');
/** Nothing listens there. */
const AWAY = { TEMPORAL_ADDRESS: '127.0.0.1:1', TEMPORAL_NAMESPACE: 'x' };

let temporal: Client;
let waker: Waker;
beforeAll(async () => {
  const connection = await Connection.connect({ address: testTemporalAddress() });
  temporal = new Client({ connection, namespace: await takeNamespace() });
  waker = createWaker({ temporal, log });
});
afterAll(async () => {
  await waker.ended();
  await temporal.connection.close();
});

async function signalsTo(storeId: number): Promise<number> {
  const { events } = await temporal.workflow
    .getHandle(menuPublicationId(storeId, 1))
    .fetchHistory();
  return (events ?? []).filter((event) => event.workflowExecutionSignaledEventAttributes).length;
}

test('a sleeping workflow is started, with search attributes for the Temporal UI', async () => {
  const key = { storeId: 1, integrationId: 1 };
  expect(await waker.wake(menuPublicationWorkflow, key, false)).toBe('woken');
  const run = await temporal.workflow.getHandle('menu/1/1').describe();
  expect(run.status.name).toBe('RUNNING');
  expect(run.searchAttributes).toMatchObject({ StoreId: ['1'], IntegrationId: ['1'] });
});

test('fifty wakes at once make two signals: the one in progress, and one for all later wakes', async () => {
  const key = { storeId: 2, integrationId: 1 };
  const results = await Promise.all(
    Array.from({ length: 50 }, () => waker.wake(menuPublicationWorkflow, key, false)),
  );
  expect(new Set(results)).toEqual(new Set(['woken']));
  expect(await signalsTo(2)).toBe(2);
});

test('a wake after the last one was answered makes a new signal', async () => {
  const key = { storeId: 3, integrationId: 1 };
  await waker.wake(menuPublicationWorkflow, key, false);
  await waker.wake(menuPublicationWorkflow, key, false);
  expect(await signalsTo(3)).toBe(2);
});

test('a living workflow gets no signal', async () => {
  expect(await waker.wake(menuPublicationWorkflow, { storeId: 4, integrationId: 1 }, true)).toBe(
    'woken',
  );
  await expect(signalsTo(4)).rejects.toThrow(/not found/i);
});

test('without Temporal a wake gives up in time and never throws', async () => {
  const away = createTemporalClient(AWAY, { callTimeoutMs: 300 });
  const lonely = createWaker({ temporal: away, log, signalTimeoutMs: 300 });
  const startedAt = Date.now();
  const results = await Promise.all(
    [1, 2, 3].map(() =>
      lonely.wake(menuPublicationWorkflow, { storeId: 5, integrationId: 1 }, false),
    ),
  );
  expect(results).toEqual(['unreachable', 'unreachable', 'unreachable']);
  expect(Date.now() - startedAt).toBeLessThan(3_000);
  await lonely.ended();
  await away.connection.close();
});

test('a signal that Temporal did not take is repeated until it is taken', async () => {
  const [host = '', port] = testTemporalAddress().split(':');
  const proxy = await startFaultProxy({ host, port: Number(port) });
  const behind = createTemporalClient(
    {
      TEMPORAL_ADDRESS: `127.0.0.1:${proxy.port}`,
      TEMPORAL_NAMESPACE: temporal.options.namespace,
    },
    { callTimeoutMs: 300 },
  );
  const patient = createWaker({
    temporal: behind,
    log,
    signalTimeoutMs: 300,
    repeatAfterMs: [200, 400, 5_000, 5_000, 5_000],
  });
  proxy.mode = 'refuse';
  const key = { storeId: 8, integrationId: 1 };
  const results = await Promise.all(
    [1, 2].map(() => patient.wake(menuPublicationWorkflow, key, false)),
  );
  expect(results).toEqual(['unreachable', 'unreachable']);
  proxy.mode = 'pass';
  await until(async () => (await signalsTo(8).catch(() => 0)) > 0);
  await patient.ended();
  await behind.connection.close();
  await proxy.close();
});

test('a waker that ends repeats nothing', async () => {
  const away = createTemporalClient(AWAY, { callTimeoutMs: 300 });
  const lines: string[] = [];
  const lonely = createWaker({
    temporal: away,
    log: createLog('warn', { write: (line) => void lines.push(line) }),
    signalTimeoutMs: 100,
    repeatAfterMs: [100],
  });
  await lonely.wake(menuPublicationWorkflow, { storeId: 9, integrationId: 1 }, false);
  await lonely.ended();
  await sleep(500);
  expect(lines).toHaveLength(1);
  await away.connection.close();
});
