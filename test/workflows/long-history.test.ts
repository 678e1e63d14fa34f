import { Client, Connection } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import { findFreePort } from '../../dev/processes/free-port';
import { findTemporalBinary } from '../../dev/temporal/temporal-binary';
import { type RunningTemporal, startTemporal } from '../../dev/temporal/temporal-server';
import type { ShardReport } from '../../src/webhooks/shard-report';
import {
  MENU_PUBLICATION,
  menuPublicationId,
  TASK_QUEUES,
  WAKE_SIGNAL,
  WEBHOOK_SHARD,
  webhookShardId,
} from '../../src/platform/temporal/workflow-names';
import { createLog } from '../../src/platform/observe/log';
import { installRuntime } from '../../src/platform/temporal/runtime';
import { SLOW_PUSH } from '../../src/uploads/upload-report';
import { claimOf, scriptPublications } from '../support/scripted-publication';
import { testWorkflowBundle } from '../support/workflow-bundle';

installRuntime(createLog('silent'));

const STORE = 1;
/** The length of a long history is a setting of the whole server, so this file has its own server. */
const SETTINGS = { 'limit.historyCount.suggestContinueAsNew': 30 };

let temporal: RunningTemporal;
let client: Client;
let connection: NativeConnection;

beforeAll(async () => {
  temporal = await startTemporal({
    binary: await findTemporalBinary(() => {}),
    directory: null,
    port: await findFreePort(),
    uiPort: null,
    settings: SETTINGS,
  });
  const { address } = temporal;
  client = new Client({ connection: await Connection.connect({ address }) });
  connection = await NativeConnection.connect({ address });
});
afterAll(async () => {
  await Promise.all([connection.close(), client.connection.close()]);
  await temporal.stop();
});

/** Starts a workflow as a wake does, waits until its last run is over, and says how its first one ended. */
async function runWorkflow(start: {
  workflowType: string;
  workflowId: string;
  taskQueue: string;
  input: unknown;
}) {
  const { workflowType, workflowId, taskQueue, input } = start;
  const run = await client.workflow.signalWithStart(workflowType, {
    workflowId,
    taskQueue,
    args: [input],
    signal: WAKE_SIGNAL,
  });
  await run.result();
  const first = client.workflow.getHandle(workflowId, run.signaledRunId);
  const { events } = await first.fetchHistory();
  return events?.at(-1);
}

test('a publication with a long history continues as a new run, and forgets nothing', async () => {
  const publications = scriptPublications();
  // Ten uploads of a dozen events each, one after the other, so that the workflow never comes to rest.
  publications.play(STORE, {
    claims: Array.from({ length: 10 }, () => claimOf(STORE)),
    steps: { pushPromptly: Array.from({ length: 10 }, () => SLOW_PUSH) },
  });
  const taskQueue = TASK_QUEUES.menus;
  const worker = await Worker.create({
    connection,
    taskQueue,
    workflowBundle: testWorkflowBundle(),
    activities: publications.activities,
  });
  await worker.runUntil(async () => {
    const end = await runWorkflow({
      workflowType: MENU_PUBLICATION,
      workflowId: menuPublicationId(STORE, 1),
      taskQueue,
      input: { storeId: STORE, integrationId: 1 },
    });
    expect(end?.workflowExecutionContinuedAsNewEventAttributes).toBeTruthy();
  });
  expect(publications.calls(STORE).filter((call) => call === 'pushMenu')).toHaveLength(10);
  // The last one's end was the rest.
  expect(publications.calls(STORE)).not.toContain('rest');
});

test('a shard with a long history continues as a new run between two looks', async () => {
  const attended: number[] = [];
  const held = { deliveries: 1, hasMore: false, subscriptions: 1, paused: 0, disabled: 0 };
  const holding = { ...held, since: new Date().toISOString() };
  const taskQueue = TASK_QUEUES.webhooks;
  const run = client.workflow.getHandle(webhookShardId(7));
  const worker = await Worker.create({
    connection,
    taskQueue,
    workflowBundle: testWorkflowBundle(),
    activities: {
      async attendShard(shard: number): Promise<ShardReport> {
        attended.push(shard);
        if (attended.length === 12) return { worker: null, holding: null, dueMs: null };
        await run.signal(WAKE_SIGNAL);
        return { worker: null, holding, dueMs: 60_000 };
      },
    },
  });
  await worker.runUntil(async () => {
    const end = await runWorkflow({
      workflowType: WEBHOOK_SHARD,
      workflowId: webhookShardId(7),
      taskQueue,
      input: 7,
    });
    expect(end?.workflowExecutionContinuedAsNewEventAttributes).toBeTruthy();
  });
  expect(attended).toEqual(Array.from({ length: 12 }, () => 7));
});
