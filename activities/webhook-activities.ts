import { cancellationSignal } from '@temporalio/activity';
import { describeHolding, type LineReport } from '../src/webhooks/lines/line-report';
import type { Drains } from '../src/webhooks/drain/drains';
import { withHeartbeat } from './with-heartbeat';

export interface WebhookActivityDeps {
  readonly drains: Drains;
}

/** Each heartbeat costs Temporal 2 ms of CPU. The promises of a dead worker's lines reveal its death much sooner. */
const HEARTBEAT_MS = 10_000;

/** All activities of `webhookLine`. */
export function createWebhookActivities({ drains }: WebhookActivityDeps) {
  return {
    /** Delivers for the subscriptions of a line as long as there is something to send, then comes to rest. */
    async drainLine(line: number): Promise<LineReport> {
      const signal = cancellationSignal();
      return withHeartbeat(() => drains.drainLine(line, signal), {
        everyMs: HEARTBEAT_MS,
        details: () => ({
          subscriptions_at_work: drains.countActive(line),
          held: describeHolding(drains.holdingOf(line)),
        }),
      });
    },
  };
}

export type WebhookActivities = ReturnType<typeof createWebhookActivities>;
