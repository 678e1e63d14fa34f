import { PLATFORM_EVENTS } from '../../schemas/platform-events';
import type { SubscriptionKey, SubscriptionRow } from './sql/subscriptions';
import { EVENTS } from './platform-events';
import type { RequestContext } from '../http/state';
import type { SubscriptionHealth } from './sql/subscription-health';

/** The caller's own webhook for events. */
export function keyOf(ctx: RequestContext): SubscriptionKey {
  return { userId: ctx.state.caller.userId, type: EVENTS };
}

/** A webhook as the API returns it, never with its secret. */
export function renderWebhook(
  webhook: Pick<
    SubscriptionRow,
    'url' | 'events' | 'state' | 'disabledReason' | 'maxInFlight' | 'maxPerSecond' | 'headerNames'
  >,
) {
  return {
    url: webhook.url,
    events: webhook.events ?? PLATFORM_EVENTS,
    state: webhook.state,
    disabled_reason: webhook.disabledReason,
    max_in_flight: webhook.maxInFlight,
    max_per_second: webhook.maxPerSecond,
    header_names: webhook.headerNames,
  };
}

/** The health of a receiver, as the owner of the webhook sees it. */
export function renderHealth(webhook: SubscriptionHealth) {
  return {
    consecutive_failures: webhook.consecutiveFailures,
    failing_since: webhook.failingSince,
    paused_until: webhook.pausedUntil,
    pending: webhook.pending,
    oldest_pending_at: webhook.oldestPendingAt,
    last_success_at: webhook.lastSuccessAt,
    attempts_1h: webhook.attempts,
    failures_1h: webhook.failures,
    p50_ms: webhook.p50Ms,
    p99_ms: webhook.p99Ms,
  };
}
