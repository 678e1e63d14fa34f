import { Client, Connection } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import { createLog } from '../../src/log';
import { installRuntime } from '../../src/temporal/runtime';
import { findFreePort } from '../../dev/free-port';
import { findTemporalBinary } from '../../dev/temporal-binary';
import { startTemporal } from '../../dev/temporal-server';
import {
  MENU_PUBLICATION,
  menuPublicationId,
  TASK_QUEUES,
  WAKE_SIGNAL,
} from '../../src/domain/workflow-names';
import { claimOf, scriptPublications } from '../support/scripted-publication';
import { testWorkflowBundle } from '../support/workflow-bundle';

installRuntime(createLog('silent'));

const STORE = 1;
/** What the server calls a long history is a setting of the whole server, so this one is the test's own. */
const SETTINGS = { 'limit.historyCount.suggestContinueAsNew': 30 };

test('a publication with a long history goes on as a new run, and forgets nothing', async () => {
  const temporal = await startTemporal({
    binary: await findTemporalBinary(() => {}),
    directory: null,
    port: await findFreePort(),
    uiPort: null,
    settings: SETTINGS,
  });
  const { address } = temporal;
  const client = new Client({ connection: await Connection.connect({ address }) });
  const connection = await NativeConnection.connect({ address });
  const publications = scriptPublications();
  // Ten uploads of a dozen events each, one after the other, so that the entity never comes to rest.
  publications.play(STORE, { claims: Array.from({ length: 10 }, () => claimOf(STORE)) });
  const worker = await Worker.create({
    connection,
    taskQueue: TASK_QUEUES.menus,
    workflowBundle: testWorkflowBundle(),
    activities: publications.activities,
  });

  await worker.runUntil(async () => {
    const run = await client.workflow.signalWithStart(MENU_PUBLICATION, {
      taskQueue: TASK_QUEUES.menus,
      workflowId: menuPublicationId(STORE, 1),
      args: [{ storeId: STORE, integrationId: 1 }],
      signal: WAKE_SIGNAL,
    });
    await run.result();
    const first = client.workflow.getHandle(run.workflowId, run.signaledRunId);
    const { events } = await first.fetchHistory();
    expect(events?.at(-1)?.workflowExecutionContinuedAsNewEventAttributes).toBeTruthy();
    expect(publications.calls(STORE).filter((call) => call === 'outcome')).toHaveLength(10);
    expect(publications.calls(STORE).filter((call) => call === 'rest')).toHaveLength(1);
  });
  await Promise.all([connection.close(), client.connection.close()]);
  await temporal.stop();
});
