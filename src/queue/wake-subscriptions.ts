import type { SubscriptionWakefulness } from '../db/deliveries';
import type { Nudger } from './nudger';
import { webhookKind } from './webhook-kind';
import { inBackground } from '../in-background';

/**
 * Nudges the lines of subscriptions that have new rows. `onIdle` hears of each subscription for which nothing will go
 * out for now: it is disabled or paused, or Temporal cannot be reached and only the sweep will come round.
 */
export function wakeSubscriptions(
  nudger: Nudger,
  subscriptions: readonly SubscriptionWakefulness[],
  onIdle: (subscriptionId: string) => void = () => {},
): void {
  for (const { subscriptionId, line, alive, turn, held } of subscriptions) {
    if (held) onIdle(subscriptionId);
    // A paused one is waited for by its line, which has to know that there is something to send then.
    if (held === 'disabled') continue;
    inBackground(
      nudger.nudge(webhookKind, line, alive, turn).then((result) => {
        if (result === 'unreachable') onIdle(subscriptionId);
      }),
      () => onIdle(subscriptionId),
    );
  }
}
