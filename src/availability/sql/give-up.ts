import type { PendingQuery, Row } from 'postgres';
import type { Transaction } from '../../platform/db/client';
import type { PublicationKey } from '../../uploads/sql/publications';
import { endPauses } from './changes';

/**
 * Ends what waits in the changes `c` of a line for which `isTooOld` holds, as failed. `endChanges` must follow, which
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
  await tx`
    update availability_item i set state = 'failed', message = ${reason}
    from availability_change c
    where ${tooOld} and i.change_id = c.change_id and i.state = 'waiting'`;
  const [pause] = await tx`
    select from availability_change c where ${tooOld} and c.kind = 'pause'`;
  if (pause) await endPauses(tx, key, 'failed', [reason]);
}
