import { setTimeout as delay } from 'node:timers/promises';
import {
  NativeConnection,
  Worker,
  type WorkerOptions,
  type WorkflowBundleOption,
} from '@temporalio/worker';
import { createMenuActivities } from '../activities/menu-activities';
import { createSweepActivities } from '../activities/sweep-activities';
import { createWebhookActivities } from '../activities/webhook-activities';
import { Registry } from 'prom-client';
import { createBounds } from './bounds';
import { noCheckpoints } from './checkpoint';
import type { Config } from './config';
import { connect } from './db/client';
import { createAppTokens } from './delivery-apps/app-tokens';
import { createDocumentStore } from './documents';
import { UPLOAD_TIMING, type UploadTiming } from './domain/upload';
import { TASK_QUEUES } from './domain/workflow-names';
import { inBackground } from './in-background';
import { watchFreezes } from './freeze-watch';
import type { Log } from './log';
import { createMenuPreparer } from './menus/menu-preparer';
import type { Metrics } from './metrics';
import { createOutboundClient } from './outbound/http-client';
import { createImageInspector } from './outbound/image-inspector';
import { createNudger } from './queue/nudger';
import { createPushRooms, MOST_IN_FLIGHT } from './queue/push-rooms';
import { createUploadTurns } from './queue/upload-turns';
import { takeOverLine } from './queue/take-over-line';
import type { RunningProcess, RunOptions } from './run-api';
import { createConfiguredSecretBox } from './configured-secrets';
import { createTemporalClient, temporalConnectionOptions } from './temporal/connection';
import { endOldRuns } from './temporal/end-old-runs';
import { keepSweepSchedule } from './temporal/keep-sweep-schedule';
import { ensureSweepSchedule } from './temporal/sweep-schedule';
import { installRuntime } from './temporal/runtime';
import { loadWorkflowBundle } from './temporal/workflow-bundle';
import { startLines } from './webhooks/start-lines';
import { startWebhooks } from './webhooks/start-webhooks';
import { countEndedUploads, startWorkerReporting } from './worker-reporting';
import { createOutageLog } from './outage-log';

export interface WorkerRunOptions extends RunOptions {
  /** How patient uploads are, where it differs from production. */
  readonly timing?: Partial<UploadTiming>;
  /** How long a drain of webhooks with nothing to send stays, where it differs from production, ms. */
  readonly webhookLingerMs?: number;
  /** Workflows bundled before: bundling takes two seconds. */
  readonly workflowBundle?: WorkflowBundleOption;
  /** Those of the process that it shares with an API; without them it has its own, on METRICS_PORT. */
  readonly metrics?: Metrics;
  /** Called when the worker polls for the first time. */
  readonly onReady?: () => void;
}

const RESTART_PAUSE_MS = 1_000;
/** As many as there can be shards. */
const MOST_LINES = 256;
const USER_AGENT = 'pos-integrations/1';

/** Starts the worker side and keeps it polling: Temporal may be away at the start or at any time later. */
export async function runWorker(options: WorkerRunOptions): Promise<RunningProcess> {
  const { config, log, reach = noCheckpoints } = options;
  installRuntime(log);
  const sql = connect(config.DATABASE_URL, { max: 20, applicationName: 'pos-integrations-worker' });
  const http = createOutboundClient({
    allowCidrs: config.OUTBOUND_ALLOW_CIDRS,
    userAgent: USER_AGENT,
    // Two integrations of one app with as many pushes as they can have.
    connections: 2 * MOST_IN_FLIGHT,
  });
  const temporal = createTemporalClient(config);
  const secrets = createConfiguredSecretBox(config);
  const reporting = await startWorkerReporting({
    config,
    log,
    sql,
    temporal,
    shared: options.metrics,
  });
  const bounds = reporting.metrics?.bounds ?? createBounds(new Registry());
  const nudger = createNudger({ temporal, log });
  /** Signals under way to lines without a drain. */
  const takeovers = new Set<Promise<void>>();
  const turns = createUploadTurns({ sql, nudger, log });
  const documents = createDocumentStore(sql);
  const preparer = createMenuPreparer({
    documents,
    deadlineMs: config.TRANSFORM_TIMEOUT,
    bounds: reporting.metrics?.bounds,
  });
  const freezes = watchFreezes();
  const menus = createMenuActivities({
    sql,
    http,
    freezes,
    images: createImageInspector({ http, sql, bounds }),
    turns,
    rooms: createPushRooms(bounds),
    tokens: createAppTokens({ sql, secrets, turns, timeoutMs: config.DELIVERY_APP_TIMEOUT }),
    log,
    reach,
    secrets,
    documents,
    menus: preparer,
    settings: {
      ...config,
      ...UPLOAD_TIMING,
      settleMs: config.APP_C_SETTLE,
      ...options.timing,
    },
  });
  const sweep = createSweepActivities({
    sql,
    log,
    nudger,
    retentionDays: config.RETENTION_DAYS,
  });
  const webhooks = await startWebhooks({
    config,
    sql,
    secrets,
    log,
    reach,
    userAgent: USER_AGENT,
    lingerMs: options.webhookLingerMs,
    onLapsed(line, epoch) {
      const call = takeOverLine({ temporal, log }, line, epoch).finally(() =>
        takeovers.delete(call),
      );
      takeovers.add(call);
      inBackground(call, () => {}); // it tells its failure itself
    },
    metrics: reporting.metrics,
  });
  const workflowBundle = options.workflowBundle ?? (await loadWorkflowBundle());
  const shared = {
    workflowBundle,
    namespace: config.TEMPORAL_NAMESPACE,
    shutdownGraceTime: '8s',
    // The SDK interrupts workflow code after 5 s, which a starved machine can need for a long history, and Node does not
    // survive the interruption when promises are hooked ("async hook stack has become corrupted").
    isolateExecutionTimeout: '60s',
  };
  const pool = superviseWorkers(config, log, options.onReady, async () => {
    await ensureSweepSchedule(temporal);
    await endOldRuns(temporal, log);
    await startLines({ sql, nudger, log }, config.WEBHOOK_SHARDS);
    return [
      {
        ...shared,
        taskQueue: TASK_QUEUES.menus,
        activities: countEndedUploads(menus, reporting.metrics),
        maxCachedWorkflows: 500,
        // Never the bound: a push has its place among those of its integration before it takes time, and everything else that an
        // app or an image host can draw out ends after half a minute, in which a worker cannot begin half as many.
        maxConcurrentActivityTaskExecutions: 2_000,
        maxConcurrentLocalActivityExecutions: 200,
        // Fits the heartbeat timeout of the steps. Only what lasts longer than 0.6 s sends any; each costs Temporal 2 ms.
        maxHeartbeatThrottleInterval: '700ms',
        // How long a workflow waits for a dead worker that knew it, before another one may go on.
        stickyQueueScheduleToStartTimeout: '2s',
        maxConcurrentWorkflowTaskExecutions: 50,
      },
      {
        ...shared,
        taskQueue: TASK_QUEUES.webhooks,
        activities: createWebhookActivities({ engine: webhooks.engine }),
        // None: a signal to a run that is in the cache of a dead worker waits ten seconds for that worker. Histories of
        // lines are short, and are read a few times an hour.
        maxCachedWorkflows: 0,
        // A drain holds its slot for as long as its line has traffic, and one worker must be able to have all of them.
        maxConcurrentActivityTaskExecutions: MOST_LINES,
        // Few: lines that start together must not keep this process from those at work.
        maxConcurrentWorkflowTaskExecutions: 8,
        // A process that is stopped but not dead still has its polls open, and each takes one task with it.
        maxConcurrentActivityTaskPolls: 2,
        maxConcurrentWorkflowTaskPolls: 2,
        maxHeartbeatThrottleInterval: '10s',
      },
      { ...shared, taskQueue: TASK_QUEUES.sweep, activities: sweep, maxCachedWorkflows: 5 },
    ];
  });

  const sweepSchedule = keepSweepSchedule({ temporal, log });

  return {
    async stop() {
      webhooks.engine.stop();
      await Promise.all([pool.stop(), sweepSchedule.stop()]);
      await preparer.close();
      freezes.stop();
      await webhooks.close();
      await reporting.stop();
      await http.close();
      // The SDK's next try of a call, on a connection that is closed by then, would end the process.
      await Promise.all([nudger.drained(), ...takeovers]);
      await temporal.connection.close();
      await sql.end({ timeout: 5 });
      log.info('worker has stopped');
    },
  };
}

/** Connects, runs one worker per task queue, and starts over whenever they end without having been asked to. */
function superviseWorkers(
  config: Config,
  log: Log,
  onReady: (() => void) | undefined,
  prepare: () => Promise<WorkerOptions[]>,
): RunningProcess {
  const stopping = new AbortController();
  const outage = createOutageLog(log, {
    begun: 'the worker cannot run; trying again',
    over: 'the worker can run again',
  });
  let running: Worker[] = [];

  async function runOnce(): Promise<void> {
    const connection = await NativeConnection.connect(temporalConnectionOptions(config));
    try {
      const queues = await prepare();
      const workers = await Promise.all(
        queues.map((options) => Worker.create({ ...options, connection })),
      );
      running = workers;
      if (stopping.signal.aborted) return;
      const ended = Promise.all(workers.map((worker) => worker.run()));
      outage.over();
      log.info({ queues: queues.map((each) => each.taskQueue) }, 'worker is polling');
      onReady?.();
      await ended;
    } finally {
      for (const worker of running) if (worker.getState() === 'RUNNING') worker.shutdown();
      running = [];
      await connection.close().catch(() => {});
    }
  }

  const ended = (async () => {
    while (!stopping.signal.aborted) {
      try {
        await runOnce();
      } catch (error) {
        outage.failed(error);
      }
      await delay(RESTART_PAUSE_MS, undefined, { signal: stopping.signal }).catch(() => {});
    }
  })();

  return {
    async stop() {
      stopping.abort();
      for (const worker of running) if (worker.getState() === 'RUNNING') worker.shutdown();
      await ended;
    },
  };
}
