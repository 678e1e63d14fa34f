import { createAvailabilityActivities } from '../../activities/availability-activities';
import type { MenuActivityDeps } from '../../activities/upload-attempt';
import type { WorkflowBundleOption } from '@temporalio/worker';
import { createMenuActivities } from '../../activities/menu-activities';
import { createCheckActivities } from '../../activities/drift-check-activities';
import { createRolloutActivities } from '../../activities/rollout-activities';
import { createSweepActivities } from '../../activities/sweep-activities';
import { createWebhookActivities } from '../../activities/webhook-activities';
import { Registry } from 'prom-client';
import { createBounds } from '../platform/config/bounds';
import { noCheckpoints } from '../platform/checkpoint';
import { connectAsConfigured } from '../platform/db/configured';
import { keepTraceBase, traceBase } from '../platform/temporal/trace-url';
import { createAppTokens } from '../delivery-apps/tokens/app-tokens';
import { createDocumentStore } from '../uploads/documents';
import { UPLOAD_TIMING, type UploadTiming } from '../uploads/upload-retries';
import { TASK_QUEUES } from '../platform/temporal/workflow-names';
import { inBackground } from '../platform/in-background';
import { watchFreezes } from '../platform/observe/freeze-watch';
import { createMenuPreparer } from '../uploads/preparation/menu-preparer';
import type { Metrics } from '../metrics/types';
import { createOutboundClient } from '../platform/outbound/http-client';
import { createImageInspector } from '../delivery-apps/images/image-inspector';
import { createNudger } from '../platform/queue/nudger';
import { createPushPlaces, MOST_IN_FLIGHT } from '../uploads/push-places';
import { createPushQueue, tokenPlace } from '../uploads/push-queue';
import { startTracing } from './start-tracing';
import { takeOverLine, startLines } from '../webhooks/lines/wake-lines';
import type { RunningProcess, RunOptions } from './run-api';
import { createConfiguredSecretBox } from './configured-secrets';
import { createTemporalClient, PROMPT_CALL_MS } from '../platform/temporal/connection';
import { replaceOldRuns } from '../uploads/replace-old-runs';
import { endOldRuns } from '../platform/temporal/end-old-runs';
import { keepSweep } from '../platform/temporal/restart-lost-sweep';
import { deleteOldSchedule, startSweep } from '../platform/temporal/start-sweep';
import { chooseSdkMetrics } from '../platform/temporal/sdk-metrics';
import { installRuntime } from '../platform/temporal/runtime';
import { loadWorkflowBundle } from '../platform/temporal/workflow-bundle';
import { superviseWorkers } from './supervise-workers';
import { startDrains } from '../webhooks/drain/start-drains';
import { startWorkerReporting } from './worker-reporting';

export interface WorkerRunOptions extends RunOptions {
  /** Durations of uploads, if not the defaults. */
  readonly timing?: Partial<UploadTiming>;
  /** How long a drain with nothing to send stays, ms, if not the default. */
  readonly webhookLingerMs?: number;
  /** From the start of a round of the sweep to the start of the next, ms, if not the default. */
  readonly sweepEveryMs?: number;
  /** Workflows bundled in advance, because bundling takes two seconds. */
  readonly workflowBundle?: WorkflowBundleOption;
  /** The metrics of an API in the same process; by default the worker's own, on METRICS_PORT. */
  readonly metrics?: Metrics;
  /** Called when the worker polls for the first time. */
  readonly onReady?: () => void;
}

/** The highest possible number of shards. */
const MOST_LINES = 256;
const USER_AGENT = 'pos-integrations/1';

/** Starts the worker side and keeps it polling: Temporal may be away at the start or later. */
export async function runWorker(options: WorkerRunOptions): Promise<RunningProcess> {
  const { config, log, reach = noCheckpoints } = options;
  const isMeasured = options.metrics !== undefined || config.METRICS_PORT !== 0;
  const sdkMetrics = installRuntime(log, isMeasured ? await chooseSdkMetrics() : undefined);
  const tracing = await startTracing(config, 'worker');
  const sql = connectAsConfigured(config, { max: 20, applicationName: 'pos-integrations-worker' });
  const http = createOutboundClient({
    allowCidrs: config.OUTBOUND_ALLOW_CIDRS,
    proxy: config.OUTBOUND_PROXY,
    userAgent: USER_AGENT,
    // Enough for two integrations of one app with the highest limit of pushes.
    connections: 2 * MOST_IN_FLIGHT,
  });
  const temporal = createTemporalClient(config);
  const promptTemporal = createTemporalClient(config, { callTimeoutMs: PROMPT_CALL_MS });
  const secrets = createConfiguredSecretBox(config);
  const reporting = await startWorkerReporting({
    config,
    log,
    sql,
    temporal: promptTemporal,
    shared: options.metrics,
  });
  if (sdkMetrics) reporting.metrics?.addSource(sdkMetrics.read);
  reporting.metrics?.watchPool('worker', () => sql.usage());
  const bounds = reporting.metrics?.bounds ?? createBounds(new Registry());
  const nudger = createNudger({ temporal: promptTemporal, log });
  /** Signals in progress to lines without a drain. */
  const takeovers = new Set<Promise<void>>();
  const pushQueue = createPushQueue({ sql, nudger, log });
  const documents = createDocumentStore(sql);
  const preparer = createMenuPreparer({
    documents,
    deadlineMs: config.TRANSFORM_TIMEOUT,
    bounds: reporting.metrics?.bounds,
  });
  const freezes = watchFreezes();
  const activityDeps: MenuActivityDeps = {
    nudger,
    sql,
    http,
    freezes,
    images: createImageInspector({ http, sql, bounds, onJudged: reporting.metrics?.countImage }),
    pushQueue,
    pushPlaces: createPushPlaces(bounds),
    tokens: createAppTokens({
      sql,
      secrets,
      resumeWaiting: (key, count) => pushQueue.resume(tokenPlace(key), count),
      timeoutMs: config.DELIVERY_APP_TIMEOUT,
    }),
    log,
    reach,
    onEnded: (app, state) => reporting.metrics?.countUpload(app, state),
    onAppCall: reporting.metrics?.observeAppCall,
    secrets,
    documents,
    menus: preparer,
    settings: {
      ...config,
      ...UPLOAD_TIMING,
      settleMs: config.APP_C_SETTLE,
      ...options.timing,
    },
  };
  const menus = createMenuActivities(activityDeps);
  const availability = createAvailabilityActivities(activityDeps);
  const stopping = new AbortController();
  const sweep = createSweepActivities({
    stopping: stopping.signal,
    sql,
    log,
    nudger,
    retentionDays: config.RETENTION_DAYS,
    driftCheckEvery: config.DRIFT_CHECK_EVERY,
    metrics: reporting.metrics,
    ...(options.sweepEveryMs === undefined ? {} : { everyMs: options.sweepEveryMs }),
  });
  const webhooks = await startDrains({
    config,
    sql,
    secrets,
    log,
    reach,
    userAgent: USER_AGENT,
    lingerMs: options.webhookLingerMs,
    onLapsed(line, epoch) {
      const call = takeOverLine({ temporal: promptTemporal, log }, line, epoch).finally(() =>
        takeovers.delete(call),
      );
      takeovers.add(call);
      inBackground(call, () => {}); // it reports its own failure
    },
    metrics: reporting.metrics,
  });
  const workflowBundle = options.workflowBundle ?? (await loadWorkflowBundle());
  const shared = {
    workflowBundle,
    namespace: config.TEMPORAL_NAMESPACE,
    shutdownGraceTime: '8s',
    // The SDK interrupts workflow code after 5 s, which a starved machine can need for a long history, and Node
    // crashes on that interruption when promises are hooked ("async hook stack has become corrupted").
    isolateExecutionTimeout: '60s',
  };
  const onPolling = (isPolling: boolean): void => {
    webhooks.drains.setPolling(isPolling);
    if (isPolling) options.onReady?.();
  };
  const pool = superviseWorkers(config, log, onPolling, async () => {
    await deleteOldSchedule(temporal);
    await startSweep(temporal);
    await endOldRuns(temporal, log);
    await replaceOldRuns({ sql, temporal, nudger, log });
    await keepTraceBase(sql, traceBase(config));
    await startLines({ sql, nudger, log }, config.WEBHOOK_SHARDS);
    return [
      {
        ...shared,
        taskQueue: TASK_QUEUES.menus,
        activities: {
          ...menus,
          ...availability,
          ...createRolloutActivities({ sql, nudger, settings: config }),
          ...createCheckActivities(activityDeps, config.DRIFT_CHECK_EVERY),
        },
        maxCachedWorkflows: 500,
        // Never reached: a push takes its place among those of its integration before it takes time, and everything
        // else that an app or an image host can delay ends after half a minute, in which a worker cannot start half
        // as many.
        maxConcurrentActivityTaskExecutions: 2_000,
        maxConcurrentLocalActivityExecutions: 200,
        // Fits the heartbeat timeout of the steps. Only steps longer than 0.6 s send any; each costs Temporal 2 ms.
        maxHeartbeatThrottleInterval: '700ms',
        // How long a workflow waits for a dead worker that has it cached, before another worker may continue it.
        stickyQueueScheduleToStartTimeout: '2s',
        maxConcurrentWorkflowTaskExecutions: 50,
      },
      {
        ...shared,
        taskQueue: TASK_QUEUES.webhooks,
        activities: { ...createWebhookActivities({ drains: webhooks.drains }), ...sweep },
        // None: a signal to a run cached by a dead worker waits ten seconds for that worker. Histories of lines are
        // short, and are read a few times an hour.
        maxCachedWorkflows: 0,
        // A drain holds its slot for as long as its line has traffic, and one worker must be able to hold all lines,
        // plus the sweep.
        maxConcurrentActivityTaskExecutions: MOST_LINES + 1,
        // Few, because lines that start together must not slow down the active ones.
        maxConcurrentWorkflowTaskExecutions: 8,
        // A frozen process still has its polls open, and each takes one task with it.
        maxConcurrentActivityTaskPolls: 2,
        maxConcurrentWorkflowTaskPolls: 2,
        maxHeartbeatThrottleInterval: '10s',
      },
    ];
  });

  const sweepKeeper = keepSweep({ temporal, log });

  return {
    async stop() {
      stopping.abort();
      webhooks.drains.stop();
      await Promise.all([pool.stop(), sweepKeeper.stop()]);
      await preparer.close();
      freezes.stop();
      await webhooks.close();
      await reporting.stop();
      await http.close();
      // Otherwise the SDK's next try of a call, on a closed connection, would crash the process.
      await Promise.all([nudger.ended(), ...takeovers]);
      await Promise.all([temporal.connection.close(), promptTemporal.connection.close()]);
      await sql.end({ timeout: 5 });
      await tracing.stop();
      log.info('worker has stopped');
    },
  };
}
