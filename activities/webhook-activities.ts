import { cancellationSignal } from '@temporalio/activity';
import { describeHolding, type LineReport } from '../src/webhooks/lines/line-report';
import type { Drains } from '../src/webhooks/drain/drains';
import { withHeartbeat } from './with-heartbeat';

export interface WebhookActivityDeps {
  readonly drains: Drains;
}

/** How often a drain looks whether there is news for the Temporal UI. */
const NEWS_MS = 10_000;
/**
 * After so many looks without news a heartbeat is sent all the same: once in 50 s, because each takes about 5 ms of CPU
 * of Temporal and the worker. The promises of a dead worker's lines reveal its death much sooner. `webhookLine` waits
 * for three times as long.
 */
const LOOKS_WITHOUT_NEWS = 4;

/** All activities of `webhookLine`. */
export function createWebhookActivities({ drains }: WebhookActivityDeps) {
  return {
    /** Delivers for the subscriptions of a line as long as there is something to send, then comes to rest. */
    async drainLine(line: number): Promise<LineReport> {
      const signal = cancellationSignal();
      const held = (): string | undefined => describeHolding(drains.holdingOf(line));
      return withHeartbeat(() => drains.drainLine(line, signal), {
        everyMs: NEWS_MS,
        isWanted: createNewsRecord(held),
        details: () => ({ subscriptions_at_work: drains.countActive(line), held: held() }),
      });
    },
  };
}

/** Says yes if `read` returns something else than at the last yes, or after `LOOKS_WITHOUT_NEWS` times no. */
function createNewsRecord(read: () => string | undefined): () => boolean {
  let told: string | undefined;
  let quietLooks = LOOKS_WITHOUT_NEWS;
  return () => {
    const news = read();
    if (news === told && quietLooks < LOOKS_WITHOUT_NEWS) {
      quietLooks += 1;
      return false;
    }
    [told, quietLooks] = [news, 0];
    return true;
  };
}

export type WebhookActivities = ReturnType<typeof createWebhookActivities>;
