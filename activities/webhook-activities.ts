import { cancellationSignal } from '@temporalio/activity';
import type { LineReport } from '../src/domain/line-report';
import type { WebhookEngine } from '../src/webhooks/webhook-engine';
import { withHeartbeat } from './with-heartbeat';

export interface WebhookActivityDeps {
  readonly engine: WebhookEngine;
}

const HEARTBEAT_MS = 1_000;

/** All activities of `webhookLine`. */
export function createWebhookActivities({ engine }: WebhookActivityDeps) {
  return {
    /** Delivers for the subscriptions of a line, for as long as there is something, and goes to rest. */
    async drainLine(line: number): Promise<LineReport> {
      const signal = cancellationSignal();
      return withHeartbeat(() => engine.drainLine(line, signal), {
        everyMs: HEARTBEAT_MS,
        details: () => ({ subscriptions_at_work: engine.countActive(line) }),
      });
    },
  };
}

export type WebhookActivities = ReturnType<typeof createWebhookActivities>;
