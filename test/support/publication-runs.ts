import { Client, Connection, type WorkflowHandleWithSignaledRunId } from '@temporalio/client';
import { NativeConnection, Worker, type WorkerOptions } from '@temporalio/worker';
import { createLog } from '../../src/platform/observe/log';
import { installRuntime } from '../../src/platform/temporal/runtime';
import {
  MENU_PUBLICATION,
  menuPublicationId,
  WAKE_SIGNAL,
} from '../../src/platform/temporal/workflow-names';
import {
  claimOf,
  type PublicationScript,
  type ScriptedPublications,
  scriptPublications,
} from './scripted-publication';
import { testTemporalAddress, uniqueTaskQueue } from './temporal';
import { takeNamespace } from './temporal-namespace';
import { until } from './until';
import { testWorkflowBundle } from './workflow-bundle';

/** Runs of the workflow `menuPublication` with scripted activities. */
export interface PublicationRuns {
  readonly publications: ScriptedPublications;
  /** Starts the publication of a new store. */
  readonly start: (script: PublicationScript) => Promise<{
    readonly storeId: number;
    readonly run: WorkflowHandleWithSignaledRunId;
  }>;
  /** The same for a store that had one before. */
  readonly startAgain: (storeId: number) => Promise<WorkflowHandleWithSignaledRunId>;
  /** A claim of the store that is woken next. */
  readonly nextClaim: (kind?: 'confirm') => ReturnType<typeof claimOf>;
  /** Waits until the activity was called so often for the store. */
  readonly reached: (storeId: number, call: string, times?: number) => Promise<void>;
  /** Wakes the run of a store. */
  readonly wake: (storeId: number) => Promise<void>;
}

/** A worker of the test file's own. Registers the hooks that start and stop it. */
export function usePublicationRuns(options: Partial<WorkerOptions> = {}): PublicationRuns {
  installRuntime(createLog('silent'));
  const taskQueue = uniqueTaskQueue('menus');
  const publications = scriptPublications();
  let client: Client;
  let stopWorker: () => Promise<void>;
  let lastStore = 0;
  beforeAll(async () => {
    const [namespace, address] = [await takeNamespace(), testTemporalAddress()];
    client = new Client({ connection: await Connection.connect({ address }), namespace });
    const connection = await NativeConnection.connect({ address });
    const worker = await Worker.create({
      connection,
      namespace,
      taskQueue,
      workflowBundle: testWorkflowBundle(),
      activities: publications.activities,
      ...options,
    });
    const running = worker.run();
    stopWorker = async () => {
      worker.shutdown();
      await running;
      await connection.close();
      await client.connection.close();
    };
  });
  afterAll(() => stopWorker());

  const startAgain = (storeId: number) =>
    client.workflow.signalWithStart(MENU_PUBLICATION, {
      taskQueue,
      workflowId: menuPublicationId(storeId, 1),
      args: [{ storeId, integrationId: 1 }],
      signal: WAKE_SIGNAL,
    });
  return {
    publications,
    async start(script) {
      const storeId = (lastStore += 1);
      publications.play(storeId, script);
      return { storeId, run: await startAgain(storeId) };
    },
    startAgain,
    nextClaim: (kind) => claimOf(lastStore + 1, kind),
    async reached(storeId, call, times = 1) {
      const count = () => publications.calls(storeId).filter((each) => each === call).length;
      await until(async () => count() >= times);
    },
    wake: (storeId) => client.workflow.getHandle(menuPublicationId(storeId, 1)).signal(WAKE_SIGNAL),
  };
}
