import { cancellationSignal } from '@temporalio/activity';
import type { Sql } from '../src/db/client';
import type { DrainReport } from '../src/domain/drain-report';
import type { SubscriptionId } from '../src/ids';
import { restEntity } from '../src/queue/rest-entity';
import { webhookKind } from '../src/queue/webhook-kind';
import type { WebhookEngine } from '../src/webhooks/webhook-engine';
import { withHeartbeat } from './with-heartbeat';

export interface WebhookActivityDeps {
  readonly sql: Sql;
  readonly engine: WebhookEngine;
}

/** All activities of `webhookSubscription`. */
export function createWebhookActivities({ sql, engine }: WebhookActivityDeps) {
  return {
    /** Delivers what is due for a subscription, for as long as there is something. */
    async drain(subscriptionId: string): Promise<DrainReport> {
      const signal = cancellationSignal();
      return withHeartbeat(() => engine.drain(subscriptionId as SubscriptionId, signal));
    },

    /** Goes to rest; true when there is something to send after all. */
    async restSubscription(subscriptionId: string): Promise<boolean> {
      return restEntity(sql, webhookKind, subscriptionId);
    },
  };
}

export type WebhookActivities = ReturnType<typeof createWebhookActivities>;
