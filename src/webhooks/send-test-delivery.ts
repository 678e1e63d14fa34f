import { acceptEvent, type AcceptEventDeps } from './accept-event';
import type { Config } from '../platform/config/config';
import type { NewDelivery } from './sql/deliveries';
import { findDelivery, listAttempts } from './sql/delivery-views';
import { TEST_EVENT } from '../../schemas/platform-events';
import { EVENTS, type MessageType } from './platform-events';
import type { WaitingDeps } from '../uploads/read-upload-waits';
import { whyDeliveriesWait } from './read-delivery-waits';
import { renderDeliveryWithAttempts } from './delivery-answers';
import { viewerOf } from '../users/guards';
import type { RequestContext } from '../http/state';

export interface WebhookTestDeps extends AcceptEventDeps, WaitingDeps {
  readonly settings: Pick<Config, 'ACK_WAIT'>;
}

/**
 * Sends a test the normal way, waits up to `ACK_WAIT` for its outcome and answers with the delivery as it is then.
 */
export async function sendTest(
  deps: WebhookTestDeps,
  ctx: RequestContext,
  { type, ...delivery }: NewDelivery & { readonly type: MessageType },
): Promise<void> {
  const { sql, settings } = deps;
  const [sent] = await acceptEvent(deps, ctx.state, {
    type,
    ...(type === EVENTS ? { eventType: TEST_EVENT } : {}),
    storeId: null,
    deliveries: [delivery],
    waitMs: settings.ACK_WAIT,
  });
  const viewer = viewerOf(ctx.state.caller);
  const found = sent && (await findDelivery(sql, viewer, sent.deliveryId));
  if (!found) throw new Error('a test delivery vanished while it was waited for');
  const attempts = await listAttempts(sql, found.deliveryId);
  const waits = await whyDeliveriesWait(deps, [found]);
  const data = renderDeliveryWithAttempts(found, attempts, waits.get(found.deliveryId));
  ctx.body = { message: 'Success.', data };
}
