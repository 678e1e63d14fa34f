import { Gauge, type Registry } from 'prom-client';
import { CHANGE_STATES, ROLLOUT_STATES, UPLOAD_STATES } from '../../schemas/states';
import { deliveryApps, readableApps } from '../delivery-apps/registry';
import { countChanges } from './availability-changes';
import { countDriftedMenus, countRollouts, countSubscriptions, countUploads } from './counts';
import type { MetricsDeps } from './metrics';
import { findOldestDueMs } from './queue-age';
import { findWaitingDeliveries, MESSAGE_NAMES } from './waiting-deliveries';
import { findWaitingUploads } from './waiting-uploads';

/** A scrape has 10 s by default, and a hanging Postgres must not use them all. */
const POSTGRES_WITHIN_MS = 2_000;
const SUBSCRIPTION_STATES = ['enabled', 'paused', 'disabled'] as const;

/** The state that all processes share; the returned function queries Postgres again. */
export function sharedState(
  registry: Registry,
  { sql, temporal }: MetricsDeps,
): () => Promise<void> {
  const gauges = createGauges(registry);
  const temporalUp = new Gauge({
    name: 'temporal_reachable',
    help: 'Whether Temporal answered when it was last asked (1) or not (0)',
    registers: [],
    collect() {
      this.set(temporal.isReachable() ? 1 : 0);
    },
  });
  registry.registerMetric(temporalUp);

  return async () => {
    try {
      const [counts, dueMs, subscriptions, deliveries, uploads, changes, rollouts, drifted] =
        await within(
          POSTGRES_WITHIN_MS,
          Promise.all([
            countUploads(sql),
            findOldestDueMs(sql),
            countSubscriptions(sql),
            findWaitingDeliveries(sql),
            findWaitingUploads(sql),
            countChanges(sql),
            countRollouts(sql),
            countDriftedMenus(sql),
          ]),
        );
      gauges.forget();
      for (const state of UPLOAD_STATES) gauges.uploads.set({ state }, 0);
      for (const { state, count } of counts) gauges.uploads.set({ state }, count);
      for (const type of MESSAGE_NAMES) {
        for (const state of SUBSCRIPTION_STATES) gauges.subscriptions.set({ type, state }, 0);
      }
      for (const { type, state, count } of subscriptions)
        gauges.subscriptions.set({ type, state }, count);
      for (const { type, shard, pending, oldestDueSeconds } of deliveries) {
        gauges.pending.set({ type, shard }, pending);
        gauges.oldestDelivery.set({ type, shard }, oldestDueSeconds);
      }
      for (const { name: app } of deliveryApps()) {
        const waiting = uploads.find((each) => each.app === app);
        gauges.waitingUploads.set({ app }, waiting ? waiting.count : 0);
        gauges.retryingUploads.set({ app }, waiting ? waiting.retrying : 0);
        gauges.oldestUpload.set({ app }, waiting ? waiting.oldestDueSeconds : 0);
        const ofApp = changes.filter((each) => each.app === app);
        for (const state of CHANGE_STATES) {
          const count = ofApp.find((each) => each.state === state)?.count ?? 0;
          gauges.changes.set({ app, state }, count);
        }
        const oldest = Math.max(0, ...ofApp.map((each) => each.oldestDueSeconds));
        gauges.oldestChange.set({ app }, oldest);
      }
      for (const state of ROLLOUT_STATES) gauges.rollouts.set({ state }, 0);
      for (const { state, count } of rollouts) gauges.rollouts.set({ state }, count);
      for (const app of readableApps()) gauges.drifted.set({ app }, 0);
      for (const { app, count } of drifted) gauges.drifted.set({ app }, count);
      gauges.oldestDue.set(dueMs / 1000);
      gauges.postgresUp.set(1);
    } catch {
      // Old numbers would look like a stalled queue.
      gauges.forget();
      gauges.postgresUp.set(0);
    }
  };
}

function createGauges(registry: Registry) {
  const gauge = <const Label extends string>(
    name: string,
    help: string,
    labelNames: readonly Label[],
  ) => new Gauge({ name, help, labelNames: [...labelNames], registers: [registry] });
  const counted = {
    uploads: gauge(
      'menu_uploads',
      'Menu uploads that wait or run now, and those that ended within the last hour; of each kind counted up to 20,000',
      ['state'],
    ),
    waitingUploads: gauge(
      'menu_uploads_waiting',
      'Menu uploads that have not ended, by app; counted up to 20,000 of all apps',
      ['app'],
    ),
    retryingUploads: gauge(
      'menu_uploads_retrying',
      'Menu uploads whose last try came to nothing and which are tried again, by app; not those whose app works on a task',
      ['app'],
    ),
    oldestUpload: gauge(
      'menu_uploads_oldest_due_age_seconds',
      'How long the oldest upload of an app that could be worked on has been waiting; one that a rollout holds could not',
      ['app'],
    ),
    changes: gauge(
      'availability_changes',
      'Changes of availability that wait or run now, and those that ended within the last hour; of each kind counted up to 20,000 of all apps, of those that ended the newest',
      ['app', 'state'],
    ),
    oldestChange: gauge(
      'availability_changes_oldest_due_age_seconds',
      'How long the oldest change of availability that could be told to its app has been due',
      ['app'],
    ),
    rollouts: gauge(
      'rollouts',
      'Rollouts that run or are reverted now, and those that ended within the last hour; of each kind counted up to 20,000',
      ['state'],
    ),
    drifted: gauge(
      'menus_drifted',
      'Live menus that their app showed otherwise when it was last read, by app; only apps that can be read',
      ['app'],
    ),
    subscriptions: gauge(
      'webhook_subscriptions',
      'Registered webhooks; paused ones are left alone after failures in a row',
      ['type', 'state'],
    ),
    pending: gauge(
      'webhook_deliveries_pending',
      'Deliveries that wait, counted up to 1,000 of each webhook',
      ['type', 'shard'],
    ),
    oldestDelivery: gauge(
      'webhook_deliveries_oldest_due_age_seconds',
      'How long the oldest delivery that could be sent has been due; those of paused and disabled webhooks could not',
      ['type', 'shard'],
    ),
  };
  const oldestDue = gauge(
    'oldest_due_row_age_seconds',
    'How long the oldest upload or delivery that could be worked on has been waiting',
    [],
  );
  const postgresUp = gauge(
    'postgres_reachable',
    'Whether Postgres answered when it was last asked (1) or not (0)',
    [],
  );
  return {
    ...counted,
    oldestDue,
    postgresUp,
    forget() {
      for (const each of Object.values(counted)) each.reset();
      oldestDue.remove();
    },
  };
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
