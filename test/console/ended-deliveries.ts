import { newId } from '../../src/platform/ids';
import type { ConsoleWorld } from './console-world';

/** Adds a delivery of the world's webhook, or of another one, that ended so long ago, so many ms after it was made. */
export type AddEnded = (given: {
  readonly state: 'acknowledged' | 'refused' | 'exhausted';
  readonly agoMs: number;
  readonly ms: number;
  readonly storeId?: number;
  readonly to?: string;
  readonly type?: 1 | 2;
  readonly payload?: object;
}) => Promise<string>;

export async function endedDeliveries({
  api: { sql },
  rows,
  owner,
  systemId,
}: ConsoleWorld): Promise<AddEnded> {
  const [subscription] = await sql<{ subscriptionId: string }[]>`
    select subscription_id from subscription where inventory_system_id = ${systemId}`;
  return async (given) => {
    const { state, agoMs, ms, storeId = rows.key.storeId } = given;
    const to = given.to ?? subscription?.subscriptionId ?? '';
    const finishedAt = new Date(Date.now() - agoMs);
    const createdAt = new Date(finishedAt.getTime() - ms);
    const id = newId('dlv', createdAt.getTime());
    await sql`
      insert into ended_delivery (delivery_id, subscription_id, user_id, inventory_system_id, store_id, sequence,
        created_at, finished_at, attempts_made, attempts_before_resend, type, state, request_id, attempts, payload)
      values (${id}, ${to}, ${owner.userId}, null, ${storeId}::bigint, 1,
        ${createdAt}, ${finishedAt}, 1, 0, ${given.type ?? 2}::smallint, ${state}, 'request', '{}',
        ${JSON.stringify(given.payload ?? {})}::text::json)`;
    return id;
  };
}
