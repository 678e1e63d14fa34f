import type { WorkerOptions } from '@temporalio/worker';
import { TASK_QUEUES } from '../platform/temporal/workflow-names';

/** The options that both workers of a process share. */
export type SharedOptions = Pick<WorkerOptions, 'namespace' | 'workflowBundle'>;
type Activities = NonNullable<WorkerOptions['activities']>;

const SHARED = { shutdownGraceTime: '8s' } as const;

/** The worker for menus, availability, rollouts and checks. */
export function menuWorker(shared: SharedOptions, activities: Activities): WorkerOptions {
  return {
    ...SHARED,
    ...shared,
    taskQueue: TASK_QUEUES.menus,
    activities,
    maxCachedWorkflows: 500,
    // Never reached: a push takes a permit of its integration before it takes time, and everything
    // else that an app or an image host can delay ends after half a minute, in which a worker cannot start half
    // as many.
    maxConcurrentActivityTaskExecutions: 2_000,
    maxConcurrentLocalActivityExecutions: 200,
    // Fits the heartbeat timeout of the steps. Only steps longer than 0.6 s send any; each costs Temporal 2 ms.
    maxHeartbeatThrottleInterval: '700ms',
    // How long a workflow waits for a dead worker that has it cached, before another worker may continue it.
    stickyQueueScheduleToStartTimeout: '2s',
    // Twice as many as there may be prompt pushes, each of which holds one for a second.
    maxConcurrentWorkflowTaskExecutions: 100,
  };
}

/** The worker that follows the shards of webhooks, and for the sweep. */
export function webhookWorker(shared: SharedOptions, activities: Activities): WorkerOptions {
  return {
    ...SHARED,
    ...shared,
    taskQueue: TASK_QUEUES.webhooks,
    activities,
    // None: a signal to a run cached by a dead worker waits ten seconds for that worker. Histories of shards are
    // short, and are read a few times an hour.
    maxCachedWorkflows: 0,
    // One look at each shard, and the sweep.
    maxConcurrentActivityTaskExecutions: 17,
    maxConcurrentWorkflowTaskExecutions: 8,
    // A frozen process still has its polls open, and each takes one task with it.
    maxConcurrentActivityTaskPolls: 2,
    maxConcurrentWorkflowTaskPolls: 2,
    maxHeartbeatThrottleInterval: '10s',
  };
}
