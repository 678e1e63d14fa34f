import { type WaitingFor, whyDeliveryWaits } from '../contract/why-it-waits';
import type { DeliveryId } from '../platform/ids';
import type { WaitingDeps } from '../uploads/read-upload-waits';
import type { DeliveryState } from './delivery';
import { findDeliveryWaits } from './sql/delivery-wait-facts';

/** A delivery in a list. */
interface Listed {
  readonly deliveryId: DeliveryId;
  readonly state: DeliveryState;
}

/** Why each of these waits that is pending and waits. Ended ones cost nothing. */
export async function whyDeliveriesWait(
  { sql }: Pick<WaitingDeps, 'sql'>,
  deliveries: readonly Listed[],
): Promise<ReadonlyMap<DeliveryId, WaitingFor>> {
  const pending = deliveries.flatMap(({ deliveryId, state }) =>
    state === 'pending' ? [deliveryId] : [],
  );
  if (pending.length === 0) return new Map();
  const facts = await findDeliveryWaits(sql, pending);
  return new Map(
    facts.flatMap((each) => {
      const waits = whyDeliveryWaits(each);
      return waits ? [[each.deliveryId, waits] as const] : [];
    }),
  );
}
