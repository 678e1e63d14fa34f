import type { Client } from '@temporalio/client';
import { loadConfig } from '../../src/config';
import { createLog } from '../../src/log';
import { createTemporalClient } from '../../src/temporal/connection';
import { keepSweepSchedule } from '../../src/temporal/keep-sweep-schedule';
import { ensureSweepSchedule, SWEEP_SCHEDULE_ID } from '../../src/temporal/sweep-schedule';
import { until } from '../support/drain-bench';
import { prepareSystem, stopSystems } from '../support/system';

let temporal: Client;
beforeAll(async () => {
  const { env } = await prepareSystem();
  temporal = createTemporalClient(loadConfig(env));
});
afterAll(async () => {
  await temporal.connection.close();
  await stopSystems();
});

async function hasSchedule(): Promise<boolean> {
  return temporal.schedule
    .getHandle(SWEEP_SCHEDULE_ID)
    .describe()
    .then(
      () => true,
      () => false,
    );
}

test('a Temporal that lost its data gets the schedule of the sweep again from workers that go on polling', async () => {
  await ensureSweepSchedule(temporal);
  const keeper = keepSweepSchedule({ temporal, log: createLog('silent'), everyMs: 200 });
  await temporal.schedule.getHandle(SWEEP_SCHEDULE_ID).delete();
  await until(hasSchedule);
  await keeper.stop();
  expect(await hasSchedule()).toBe(true);
});
