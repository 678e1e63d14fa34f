import type { WorkflowHandle } from '@temporalio/client';
import { loadConfig } from '../../src/platform/config/config';
import { announceDeliveries } from '../../src/webhooks/sql/announcements';
import { webhookShardId } from '../../src/platform/temporal/workflow-names';
import { createTemporalClient, PROMPT_CALL_MS } from '../../src/platform/temporal/connection';
import { prepareSystem, type System, type SystemOptions } from './system';
import { startWebhookReceiver, type WebhookReceiver } from './webhook-receiver';
import { createWebhookRows, type TestSubscription, type WebhookRows } from './webhook-rows';

/** A system without an API: deliveries are put into the database and announced as the API does. */
export interface WebhookSystem {
  readonly system: System;
  readonly rows: WebhookRows;
  readonly receiver: WebhookReceiver;
  /** Announces what waits for the subscription, as the API does. */
  announce(subscription: TestSubscription): Promise<void>;
  workflow(of: TestSubscription): WorkflowHandle;
  stop(): Promise<void>;
}

export async function prepareWebhookSystem(
  options: Pick<SystemOptions, 'env' | 'servers'> = {},
): Promise<WebhookSystem> {
  const system = await prepareSystem(options);
  const config = loadConfig(system.env);
  const temporal = createTemporalClient(config, { callTimeoutMs: PROMPT_CALL_MS });
  const receiver = await startWebhookReceiver();
  const rows = await createWebhookRows(system.sql, config.ENCRYPTION_KEY);
  return {
    system,
    rows,
    receiver,
    async announce({ subscriptionId }) {
      await announceDeliveries(system.sql, [subscriptionId]);
    },
    workflow: ({ shard }) => temporal.workflow.getHandle(webhookShardId(shard)),
    async stop() {
      await receiver.close();
      await system.stop();
      await temporal.connection.close();
    },
  };
}
