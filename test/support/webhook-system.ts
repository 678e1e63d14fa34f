import type { WorkflowHandle } from '@temporalio/client';
import { loadConfig } from '../../src/platform/config/config';
import { announceDeliveries } from '../../src/webhooks/sql/announcements';
import { webhookLineId } from '../../src/platform/temporal/workflow-names';
import { createLog } from '../../src/platform/observe/log';
import { createNudger } from '../../src/platform/queue/nudger';
import { nudgeLine } from '../../src/webhooks/lines/line-signals';
import { createTemporalClient, PROMPT_CALL_MS } from '../../src/platform/temporal/connection';
import { prepareSystem, type System, type SystemOptions } from './system';
import { startWebhookReceiver, type WebhookReceiver } from './webhook-receiver';
import { createWebhookRows, type TestSubscription, type WebhookRows } from './webhook-rows';

/** A system without an API: deliveries are put into the database and announced as the API does. */
export interface WebhookSystem {
  readonly system: System;
  readonly rows: WebhookRows;
  readonly receiver: WebhookReceiver;
  /** Wakes the subscription's line, as the API does. */
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
  const temporal = createTemporalClient(config, { callTimeoutMs: PROMPT_CALL_MS });
  const nudger = createNudger({ temporal, log: createLog('silent') });
  const receiver = await startWebhookReceiver();
  const rows = await createWebhookRows(system.sql, config.ENCRYPTION_KEY);
  return {
    system,
    rows,
    receiver,
    async nudge({ subscriptionId }) {
      const found = await announceDeliveries(system.sql, [subscriptionId]);
      // Even if it is alive: those that wrote the rows nudged nobody, and a drain may have begun without its workflow.
      for (const { line, epoch } of found) nudgeLine(nudger, line, epoch);
      await nudger.ended();
    },
    workflow: ({ line }) => temporal.workflow.getHandle(webhookLineId(line)),
    async stop() {
      await receiver.close();
      await system.stop();
      await temporal.connection.close();
    },
  };
}
