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
    /** Delivers what is due for a subscription, for as long as there is something, and goes to rest. */
    async drain(subscriptionId: string): Promise<DrainReport> {
      const signal = cancellationSignal();
      return withHeartbeat(async () => {
        const report = await engine.drain(subscriptionId as SubscriptionId, signal);
        if (report.next.kind === 'again') return report;
        const isNeeded = await restEntity(sql, webhookKind, subscriptionId);
        return isNeeded ? { ...report, next: { kind: 'again' } } : report;
      });
    },
  };
}

export type WebhookActivities = ReturnType<typeof createWebhookActivities>;
