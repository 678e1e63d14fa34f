import { createAvailabilityActivities } from '../../activities/availability-activities';
import type { MenuActivityDeps } from '../../activities/activity-deps';
import type { WorkflowBundleOption } from '@temporalio/worker';
import { createMenuActivities } from '../../activities/menu-activities';
import { createCheckActivities } from '../../activities/drift-check-activities';
import { createRolloutActivities } from '../../activities/rollout-activities';
import { createSweepActivities, type SweepDeps } from '../../activities/sweep-activities';
import { createWebhookActivities } from '../../activities/webhook-activities';
import { Registry } from 'prom-client';
import { type Bounds, createBounds } from '../platform/admission/bound-metrics';
import { noCheckpoints } from '../platform/checkpoint';
import { keepTraceBase, traceBase } from '../platform/temporal/trace-url';
import { createAppTokens } from '../delivery-apps/tokens/app-tokens';
import { createDocumentStore, type DocumentStore } from '../uploads/documents';
import { UPLOAD_TIMING, type UploadTiming } from '../uploads/upload-retries';
import {
  createDatabaseClock,
  type DatabaseClock,
  followDatabaseClock,
} from '../platform/db/database-clock';
import { type FreezeWatch, watchFreezes } from '../platform/observe/freeze-watch';
import { createMenuPreparer, type MenuPreparer } from '../uploads/preparation/menu-preparer';
import type { Metrics } from '../metrics/types';
import { createImageInspector } from '../delivery-apps/images/image-inspector';
import { createWaker, type Waker } from '../platform/queue/waker';
import { createPushesUnderWay } from '../uploads/pushes-under-way';
import { createPushPermits } from '../uploads/push-permits';
import { createPushQueue, tokenPermit } from '../uploads/push-queue';
import { startTracing } from './start-tracing';
import type { RunningProcess, RunOptions } from './run-api';
import { USER_AGENT } from './connections';
import { openWorkerConnections, type WorkerConnections } from './worker-connections';
import { createConfiguredSecretBox } from './configured-secrets';
import type { SecretBox } from '../platform/crypto/secrets';
import { keepSweep } from '../platform/temporal/restart-lost-sweep';
import { startSweep } from '../platform/temporal/start-sweep';
import { chooseSdkMetrics } from '../platform/temporal/sdk-metrics';
import { installRuntime } from '../platform/temporal/runtime';
import { loadWorkflowBundle } from '../platform/temporal/workflow-bundle';
import { superviseWorkers } from './supervise-workers';
import { menuWorker, webhookWorker } from './task-workers';
import { type RunningShards, startWorkerShards } from '../webhooks/consumer/start-worker-shards';
import { createLaterNotes } from '../webhooks/consumer/later-notes';
import { webhookShardWorkflow } from '../webhooks/queue';
import { startWorkerReporting, type WorkerReporting } from './worker-reporting';

export interface WorkerRunOptions extends RunOptions {
  /** Durations of uploads, if not the defaults. */
  readonly timing?: Partial<UploadTiming>;
  /** From the start of a round of the sweep to the start of the next, ms, if not the default. */
  readonly sweepEveryMs?: number;
  /** Workflows bundled in advance, because bundling takes two seconds. */
  readonly workflowBundle?: WorkflowBundleOption;
  /** The metrics of an API in the same process; by default the worker's own, on METRICS_PORT. */
  readonly metrics?: Metrics;
  /** Called when the worker polls for the first time. */
  readonly onReady?: () => void;
}

/** Starts the worker side and keeps it polling: Temporal may be away at the start or later. */
export async function runWorker(options: WorkerRunOptions): Promise<RunningProcess> {
  const { config, log } = options;
  const isMeasured = options.metrics !== undefined || config.METRICS_PORT !== 0;
  const sdkMetrics = installRuntime(log, isMeasured ? await chooseSdkMetrics() : undefined);
  const tracing = await startTracing(config, 'worker');
  const connections = openWorkerConnections(config, log, (kind) =>
    reporting.metrics?.countOwnFault(kind),
  );
  const { sql, temporal, promptTemporal } = connections;
  const reporting = await startWorkerReporting({
    config,
    log,
    sql,
    temporal: promptTemporal,
    shared: options.metrics,
  });
  if (sdkMetrics) reporting.metrics?.addSource(sdkMetrics.read);
  reporting.metrics?.watchPool('worker', () => sql.usage());
  const clock = createDatabaseClock();
  const clockFollower = followDatabaseClock({ sql, clock, log });
  reporting.metrics?.watchClock(clock);
  const waker = createWaker({ temporal: promptTemporal, log });
  const documents = createDocumentStore(sql);
  const preparer = createMenuPreparer({
    documents,
    deadlineMs: config.TRANSFORM_TIMEOUT,
    bounds: reporting.metrics?.bounds,
  });
  const freezes = watchFreezes();
  const secrets = createConfiguredSecretBox(config);
  const bounds = reporting.metrics?.bounds ?? createBounds(new Registry());
  const parts = {
    ...connections,
    clock,
    waker,
    documents,
    preparer,
    freezes,
    secrets,
    reporting,
    bounds,
  };
  const activityDeps = createActivityDeps(options, parts);
  const stopping = new AbortController();
  const webhooks = await startWebhooks(options, parts);
  const sweep = { stopping: stopping.signal, metrics: reporting.metrics };
  const bounded = { ...activityDeps, bounds };
  const activities = createActivities(options, bounded, sweep);
  const workflowBundle = options.workflowBundle ?? (await loadWorkflowBundle());
  const shared = { workflowBundle, namespace: config.TEMPORAL_NAMESPACE };
  const onPolling = (): void => options.onReady?.();
  const pool = superviseWorkers(config, log, onPolling, async () => {
    await startSweep(temporal);
    await keepTraceBase(sql, traceBase(config));
    return [menuWorker(shared, activities.menus), webhookWorker(shared, activities.webhooks)];
  });

  const sweepKeeper = keepSweep({ temporal, log });

  return {
    async stop() {
      stopping.abort();
      activityDeps.pushes.stop();
      webhooks.stop();
      await Promise.all([pool.stop(), sweepKeeper.stop()]);
      await activityDeps.pushes.ended();
      await preparer.close();
      freezes.stop();
      await webhooks.close();
      await Promise.all([reporting.stop(), clockFollower.stop()]);
      await connections.http.close();
      // Otherwise the SDK's next try of a call, on a closed connection, would crash the process.
      await waker.ended();
      await Promise.all([temporal.connection.close(), promptTemporal.connection.close()]);
      await sql.end({ timeout: 5 });
      await tracing.stop();
      log.info('worker has stopped');
    },
  };
}

/** The parts from which activities and the consumer are made. */
interface WorkerParts extends WorkerConnections {
  readonly clock: DatabaseClock;
  readonly waker: Waker;
  readonly documents: DocumentStore;
  readonly preparer: MenuPreparer;
  readonly freezes: FreezeWatch;
  readonly secrets: SecretBox;
  readonly reporting: WorkerReporting;
  readonly bounds: Bounds;
}

function createActivityDeps(
  { config, log, atCheckpoint = noCheckpoints, timing }: WorkerRunOptions,
  { sql, http, waker, documents, preparer, freezes, secrets, reporting, bounds }: WorkerParts,
): MenuActivityDeps {
  const pushQueue = createPushQueue({ sql, waker, log });
  return {
    waker,
    sql,
    http,
    freezes,
    images: createImageInspector({ http, sql, bounds, onJudged: reporting.metrics?.countImage }),
    pushQueue,
    pushPermits: createPushPermits({ bounds, queue: pushQueue }),
    pushes: createPushesUnderWay({
      bounds,
      onLost: ({ uploadId, attemptNo }, err) =>
        log.warn(
          { upload_id: uploadId, attempt: attemptNo, err },
          'a push failed while no call waited for it',
        ),
    }),
    tokens: createAppTokens({
      sql,
      secrets,
      resumeWaiting: (key, count) => pushQueue.resume(tokenPermit(key), count),
      timeoutMs: config.DELIVERY_APP_TIMEOUT,
    }),
    log,
    atCheckpoint,
    onEnded: (app, state) => reporting.metrics?.countUpload(app, state),
    onAppCall: reporting.metrics?.observeAppCall,
    secrets,
    documents,
    menus: preparer,
    settings: {
      ...config,
      ...UPLOAD_TIMING,
      settleMs: config.APP_C_SETTLE,
      ...timing,
    },
  };
}

/** The activities of both task queues. */
function createActivities(
  { config, log, sweepEveryMs }: WorkerRunOptions,
  { bounds, ...deps }: MenuActivityDeps & Pick<WorkerParts, 'bounds'>,
  sweep: Pick<SweepDeps, 'stopping' | 'metrics'>,
) {
  const { sql, waker } = deps;
  return {
    menus: {
      ...createMenuActivities(deps),
      ...createAvailabilityActivities(deps),
      ...createRolloutActivities({ sql, waker, settings: config, bounds }),
      ...createCheckActivities(deps, config.DRIFT_CHECK_EVERY),
    },
    webhooks: {
      ...createWebhookActivities({ sql }),
      ...createSweepActivities({
        ...sweep,
        sql,
        log,
        waker,
        retentionDays: config.RETENTION_DAYS,
        driftCheckEvery: config.DRIFT_CHECK_EVERY,
        ...(sweepEveryMs === undefined ? {} : { everyMs: sweepEveryMs }),
      }),
    },
  };
}

function startWebhooks(
  { config, log, atCheckpoint = noCheckpoints }: WorkerRunOptions,
  { sql, secrets, waker, reporting, ownFaults, clock }: WorkerParts,
): Promise<RunningShards> {
  return startWorkerShards({
    config,
    sql,
    secrets,
    log,
    atCheckpoint,
    userAgent: USER_AGENT,
    ownFaults,
    clock,
    onLater: createLaterNotes((shard) => waker.wake(webhookShardWorkflow, shard, false)),
    metrics: reporting.metrics,
  });
}
