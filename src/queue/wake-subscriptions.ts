import type { SubscriptionWakefulness } from '../db/deliveries';
import type { Nudger } from './nudger';
import { webhookKind } from './webhook-kind';
import { inBackground } from '../in-background';

/**
 * Nudges the entities of subscriptions that have new rows. `onIdle` hears of each for which nothing will go out for
 * now: it is disabled or paused, or Temporal cannot be reached and only the sweep will come round.
 */
export function wakeSubscriptions(
  nudger: Nudger,
  subscriptions: readonly SubscriptionWakefulness[],
  onIdle: (subscriptionId: string) => void = () => {},
): void {
  for (const { subscriptionId, alive, turn, held } of subscriptions) {
    // A paused entity waits for the end of its pause by itself; a disabled one has nothing to do.
    if (held) {
      onIdle(subscriptionId);
      continue;
    }
    inBackground(
      nudger.nudge(webhookKind, subscriptionId, alive, turn).then((result) => {
        if (result === 'unreachable') onIdle(subscriptionId);
      }),
      () => onIdle(subscriptionId),
    );
  }
}
