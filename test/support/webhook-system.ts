import type { WorkflowHandle } from '@temporalio/client';
import { loadConfig } from '../../src/config';
import { webhookSubscriptionId } from '../../src/domain/workflow-names';
import { createLog } from '../../src/log';
import { createNudger } from '../../src/queue/nudger';
import { webhookKind } from '../../src/queue/webhook-kind';
import { createTemporalClient } from '../../src/temporal/connection';
import { prepareSystem, type System, type SystemOptions } from './system';
import { startWebhookReceiver, type WebhookReceiver } from './webhook-receiver';
import { createWebhookRows, type TestSubscription, type WebhookRows } from './webhook-rows';

/** A system without an API: deliveries are put into the database and announced as the API does. */
export interface WebhookSystem {
  readonly system: System;
  readonly rows: WebhookRows;
  readonly receiver: WebhookReceiver;
  /** Tells the subscription's entity of its rows: whether or not it is at work, as the row of the subscription says. */
  nudge(subscription: TestSubscription): Promise<void>;
  workflow(of: TestSubscription): WorkflowHandle;
  stop(): Promise<void>;
}

/** Shorter than in production, or every workflow that is waited for takes ten seconds longer. */
export const WEBHOOK_LINGER_MS = 2_000;

export async function prepareWebhookSystem(
  options: Pick<SystemOptions, 'env' | 'servers'> = {},
): Promise<WebhookSystem> {
  const system = await prepareSystem({ ...options, webhookLingerMs: WEBHOOK_LINGER_MS });
  const config = loadConfig(system.env);
  const temporal = createTemporalClient(config);
  const nudger = createNudger({ sql: system.sql, temporal, log: createLog('silent') });
  const receiver = await startWebhookReceiver();
  const rows = await createWebhookRows(system.sql, config.ENCRYPTION_KEY);
  return {
    system,
    rows,
    receiver,
    async nudge({ subscriptionId }) {
      const [row] = await system.sql<{ alive: boolean }[]>`
        select coalesce(alive_until > now(), false) as alive from subscription
        where subscription_id = ${subscriptionId}`;
      await nudger.nudge(webhookKind, subscriptionId, row?.alive ?? false);
    },
    workflow: ({ subscriptionId }) =>
      temporal.workflow.getHandle(webhookSubscriptionId(subscriptionId)),
    async stop() {
      await receiver.close();
      await system.stop();
      await temporal.connection.close();
    },
  };
}
