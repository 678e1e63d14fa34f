import type { Client } from '@temporalio/client';
import { until } from '../support/until';
import { loadConfig } from '../../src/platform/config/config';
import { createLog } from '../../src/platform/observe/log';
import { createTemporalClient } from '../../src/platform/temporal/connection';
import { keepSweep } from '../../src/platform/temporal/restart-lost-sweep';
import { startSweep } from '../../src/platform/temporal/start-sweep';
import { prepareSystem, stopSystems, type System } from '../support/system';

let system: System;
let temporal: Client;
beforeEach(async () => {
  system = await prepareSystem();
  temporal = createTemporalClient(loadConfig(system.env));
});
afterEach(async () => {
  await temporal.connection.close();
  await stopSystems();
});

const describeSweep = () => temporal.workflow.getHandle('sweep').describe();
const isSweeping = () =>
  describeSweep().then(
    ({ status }) => status.name === 'RUNNING',
    () => false,
  );
/** Whether a worker has begun its activity. */
const isAtWork = async () => {
  const [activity] = (await describeSweep()).raw.pendingActivities ?? [];
  return Boolean(activity?.lastStartedTime);
};
/** Activities that have ended in order. */
const hours = async () => {
  const { events } = await temporal.workflow.getHandle('sweep').fetchHistory();
  return events?.filter((event) => event.activityTaskCompletedEventAttributes).length;
};
test('polling workers restart a sweep that was lost or terminated', async () => {
  await startSweep(temporal);
  const keeper = keepSweep({ temporal, log: createLog('silent'), everyMs: 200 });
  const first = (await describeSweep()).runId;
  await temporal.workflow.getHandle('sweep').terminate();
  await until(isSweeping);
  expect((await describeSweep()).runId).not.toBe(first);
  await keeper.stop();
});

test('of many workers that start at once one starts the sweep', async () => {
  await Promise.all([1, 2, 3, 4, 5].map(() => startSweep(temporal)));
  expect(await startSweep(temporal)).toBe(false);
  const runs: string[] = [];
  await until(async () => {
    runs.length = 0;
    for await (const run of temporal.workflow.list({ query: `WorkflowType = 'sweepLine'` })) {
      runs.push(run.runId);
    }
    return runs.length > 0;
  });
  expect(runs).toHaveLength(1);
});

test('a stopping worker hands the sweep to another one at once', async () => {
  const first = await system.startWorker();
  await until(isAtWork);
  await system.startWorker();
  await first.stop();
  await until(async () => (await hours()) === 1 && (await isAtWork()), 8_000);
  expect(await isSweeping()).toBe(true);
});
