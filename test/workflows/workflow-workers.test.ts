import { runInNewContext, Script } from 'node:vm';
import { Client, Connection, type WorkflowHandle } from '@temporalio/client';
import { NativeConnection, type WorkerOptions } from '@temporalio/worker';
import { createLog } from '../../src/platform/observe/log';
import { installRuntime } from '../../src/platform/temporal/runtime';
import { MENU_PUBLICATION, menuPublicationId } from '../../src/platform/temporal/workflow-names';
import { createWorkflowWorkers } from '../../src/platform/temporal/workflow-workers';
import { testTemporalAddress, uniqueTaskQueue } from '../support/temporal';
import { takeNamespace } from '../support/temporal-namespace';
import { until } from '../support/until';
import { testWorkflowBundle } from '../support/workflow-bundle';

installRuntime(createLog('silent'));

let client: Client;
let connection: NativeConnection;
beforeAll(async () => {
  const [namespace, address] = [await takeNamespace(), testTemporalAddress()];
  client = new Client({ connection: await Connection.connect({ address }), namespace });
  connection = await NativeConnection.connect({ address });
});
afterAll(() => Promise.all([connection.close(), client.connection.close()]));

let lastStore = 0;
/** Runs the publication of a new store whose claim is `claim`, until `isOver`. */
async function runWithClaim(
  claim: unknown,
  isOver: (run: WorkflowHandle) => Promise<boolean>,
  options: Partial<WorkerOptions> = {},
): Promise<WorkflowHandle> {
  const taskQueue = uniqueTaskQueue('menus');
  const [worker] = await createWorkflowWorkers([
    {
      connection,
      namespace: client.options.namespace,
      taskQueue,
      workflowBundle: testWorkflowBundle(),
      activities: { claimNewest: async () => claim },
      ...options,
    },
  ]);
  const storeId = ++lastStore;
  const run = await client.workflow.start(MENU_PUBLICATION, {
    taskQueue,
    workflowId: menuPublicationId(storeId, 1),
    args: [{ storeId, integrationId: 1 }],
  });
  await worker?.runUntil(() => until(() => isOver(run)));
  return run;
}

/** The stack of the run's first exception that is no failure of an activity; undefined so far. */
async function stackOf(run: WorkflowHandle): Promise<string | undefined> {
  const { events } = await run.fetchHistory();
  const failed = events?.find((event) => event.workflowTaskFailedEventAttributes);
  return failed?.workflowTaskFailedEventAttributes?.failure?.stackTrace ?? undefined;
}

test('an exception in workflow code says where it was thrown', async () => {
  const run = await runWithClaim(5, async (it) => (await stackOf(it)) !== undefined);
  expect(await stackOf(run)).toMatch(/^\s*at .*workflows\/menu-publication\.ts:\d+:\d+/m);
  await run.terminate();
});

test('the stack of a promise that is waited for has three lines at most, each of which the SDK looks up in the source map', async () => {
  let stacks = '';
  const waits = { kind: 'wait', ms: 60_000, summary: 'waits' };
  const run = await runWithClaim(waits, async (it) => {
    const { events } = await it.fetchHistory();
    if (!events?.some((event) => event.timerStartedEventAttributes)) return false;
    stacks = await it.query<string>('__stack_trace');
    return true;
  });
  const lines = stacks.split('\n\n').map((stack) => stack.split('\n').length);
  expect(stacks).toContain('at menuPublication');
  expect(Math.max(...lines)).toBeLessThanOrEqual(3);
  await run.terminate();
});

test('what is made later has stacks of the usual length', async () => {
  const [worker] = await createWorkflowWorkers([
    {
      connection,
      namespace: client.options.namespace,
      taskQueue: uniqueTaskQueue('none'),
      workflowBundle: testWorkflowBundle(),
    },
  ]);
  await worker?.runUntil(async () => {});
  expect(runInNewContext('Error.stackTraceLimit')).toBe(10);
});

test('no call into workflow code has a time limit, for which Node would start a thread', async () => {
  const entered = jest.spyOn(Script.prototype, 'runInContext');
  // The threads of workflows cannot be watched from here: `debugMode` runs the same code without them.
  await runWithClaim(
    { kind: 'idle' },
    async (it) => (await it.describe()).status.name === 'COMPLETED',
    { debugMode: true },
  );
  const limits = entered.mock.calls.map(([, options]) =>
    typeof options === 'object' ? options.timeout : undefined,
  );
  entered.mockRestore();
  expect(limits.length).toBeGreaterThan(5);
  expect(limits.filter((limit) => limit !== undefined)).toEqual([]);
});
