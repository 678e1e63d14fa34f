import { cancellationSignal } from '@temporalio/activity';
import type { LineReport } from '../src/domain/line-report';
import type { WebhookEngine } from '../src/webhooks/webhook-engine';
import { withHeartbeat } from './with-heartbeat';

export interface WebhookActivityDeps {
  readonly engine: WebhookEngine;
}

/** Each costs Temporal 2 ms of CPU. What a dead worker had is found by the promises of its lines, long before. */
const HEARTBEAT_MS = 10_000;

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
