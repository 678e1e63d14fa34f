import { seesMore } from '../users/guards';
import type { Sql } from '../platform/db/client';
import type { TokenOwner } from '../users/sql/users';
import { listOwnThings } from './sql/own-things';

/** What an action of a page is about, by the ids that the API answers. One of them is enough to act on it. */
export interface ActedOn {
  readonly store_id?: number | string | null;
  readonly inventory_system_id?: string | null;
  readonly rollout_id?: string | null;
}

/** Whether the user may act on a thing that a page shows them. */
export type MayAct = (thing: ActedOn) => boolean;

/**
 * Most users act on all that they see. Who sees more by `support` acts on their own stores, systems and rollouts: these
 * are read once for a page.
 */
export async function findMayAct(sql: Sql, caller: TokenOwner): Promise<MayAct> {
  if (!seesMore(caller)) return () => true;
  const own = new Set(await listOwnThings(sql, caller.userId));
  return ({ store_id: storeId, inventory_system_id: systemId, rollout_id: rolloutId }) =>
    own.has(`store ${storeId}`) || own.has(`system ${systemId}`) || own.has(`rollout ${rolloutId}`);
}
