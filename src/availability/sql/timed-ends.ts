import { TIME_HAS_PASSED } from '../availability';
import { newId } from '../../platform/ids';
import { endPauses, insertItemChange, insertPauseChange, lastWords } from './changes';
import type { Transaction } from '../../platform/db/client';
import type { PublicationKey } from '../../uploads/sql/publications';

/** Stored in place of a request id in rows of our own changes. */
const REQUEST_ID = 'until';

/**
 * Ends the API's marks whose `until` has passed. Items that stock holds too stay off sale. The app is told of the
 * others, unless it cannot have them off sale: neither their latest change was tried, nor did an earlier one or a menu
 * take them off.
 */
export async function endLapsedItems(tx: Transaction, key: PublicationKey): Promise<void> {
  const { storeId, integrationId } = key;
  const lapsed = await tx<{ externalId: string; tells: boolean }[]>`
    with lapsed as (
      select m.external_id, m.by_stock, m.change_id,
        m.may_be_off or coalesce(i.state = 'waiting' and i.tried, false) as tells
      from availability_mark m
      left join availability_item i on i.change_id = m.change_id and i.external_id = m.external_id
      where m.store_id = ${storeId}::bigint and m.integration_id = ${integrationId}::bigint
        and m.api_until <= now()
      for update of m
    ), kept as (
      update availability_mark m set by_api = false, api_until = null from lapsed l
      where m.store_id = ${storeId}::bigint and m.integration_id = ${integrationId}::bigint
        and m.external_id = l.external_id and l.by_stock
    ), gone as (
      delete from availability_mark m using lapsed l
      where m.store_id = ${storeId}::bigint and m.integration_id = ${integrationId}::bigint
        and m.external_id = l.external_id and not l.by_stock
    ), passed as (
      update availability_item i set state = 'superseded', message = ${TIME_HAS_PASSED} from lapsed l
      where i.change_id = l.change_id and i.external_id = l.external_id
        and i.state = 'waiting' and not l.by_stock
    )
    select external_id, tells from lapsed where not by_stock`;
  const told = lapsed.filter((item) => item.tells);
  if (told.length === 0) return;
  await insertItemChange(tx, {
    ...ownChange(key),
    items: told.map(({ externalId }) => ({
      externalId,
      available: true,
      until: null,
      state: 'waiting',
      message: null,
    })),
  });
}

/** The same for a pause. */
export async function endLapsedPause(tx: Transaction, key: PublicationKey): Promise<void> {
  const [ended] = await tx<{ waited: boolean; words: string | null; tells: boolean }[]>`
    with ended as (
      delete from store_pause p
      where p.store_id = ${key.storeId}::bigint and p.integration_id = ${key.integrationId}::bigint
        and p.until <= now()
      returning p.change_id, p.may_be_paused
    )
    select coalesce(c.state in ('queued', 'running'), false) as waited,
      case when c.tried then ${lastWords(tx, key)} end as words,
      ended.may_be_paused
        or coalesce(c.state in ('queued', 'running') and c.tried, false) as tells
    from ended left join availability_change c using (change_id)`;
  if (!ended) return;
  if (ended.waited) {
    const said = ended.words === null ? [] : [ended.words];
    await endPauses(tx, key, 'superseded', [TIME_HAS_PASSED, ...said]);
  }
  if (!ended.tells) return;
  await insertPauseChange(tx, {
    ...ownChange(key),
    paused: false,
    until: null,
    reason: null,
  });
}

function ownChange({ storeId, integrationId }: PublicationKey) {
  return {
    changeId: newId('avc'),
    changeRequestId: newId('avr'),
    storeId,
    integrationId,
    namedIntegration: String(integrationId),
    cause: 'until',
    userId: null,
    requestId: REQUEST_ID,
    waitMs: 0,
  } as const;
}
