import type { PendingQuery, Row } from 'postgres';
import type { Transaction } from '../../platform/db/client';
import type { PublicationKey } from '../../uploads/sql/publications';
import type { StoreChangeKind } from '../availability';
import { endStoreChanges } from './changes';

/**
 * Ends what waits in the changes `c` of a queue for which `isTooOld` holds, as failed. `endChanges` must follow, which
 * ends the changes of items.
 */
export async function giveUpChanges(
  tx: Transaction,
  key: PublicationKey,
  isTooOld: PendingQuery<Row[]>,
  reason: string,
): Promise<void> {
  const tooOld = tx`
    c.store_id = ${key.storeId}::bigint and c.integration_id = ${key.integrationId}::bigint
      and c.state in ('queued', 'running') and ${isTooOld}`;
  // What the app was told may have had an effect, although it never said so.
  await tx`
    with ended as (
      update availability_item i set state = 'failed', message = ${reason}
      from availability_change c
      where ${tooOld} and i.change_id = c.change_id and i.state = 'waiting'
      returning i.change_id, i.external_id, i.tried
    )
    update availability_mark m set may_be_off = true from ended e
    where m.store_id = ${key.storeId}::bigint and m.integration_id = ${key.integrationId}::bigint
      and m.external_id = e.external_id and m.change_id = e.change_id
      and e.tried and not m.may_be_off`;
  await tx`
    update store_pause p set may_be_paused = true from availability_change c
    where ${tooOld} and c.kind = 'pause' and c.tried
      and p.store_id = c.store_id and p.integration_id = c.integration_id
      and p.change_id = c.change_id`;
  const givenUp = await tx<{ kind: StoreChangeKind }[]>`
    select c.kind from availability_change c where ${tooOld} and c.kind <> 'items'`;
  for (const { kind } of givenUp) {
    await endStoreChanges(tx, key, { kind, state: 'failed', messages: [reason] });
  }
}
