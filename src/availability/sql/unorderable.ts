import type { Sql, Transaction } from '../../platform/db/client';
import type { PublicationKey } from '../../uploads/sql/publications';
import type { ItemResult } from './calls';

/** A change that ends with some results, and the items that it has taken off sale. */
export interface EndingChange {
  readonly changeId: string;
  readonly off: readonly string[];
}

/** Of the changes of these results, those that end with them and took items off sale, without a failure. */
export async function listEndingChanges(
  sql: Sql,
  results: readonly Pick<ItemResult, 'changeId' | 'externalId' | 'state'>[],
): Promise<EndingChange[]> {
  const rows = results.map(({ changeId, externalId, state }) => ({
    change_id: changeId,
    external_id: externalId,
    state,
  }));
  return sql<EndingChange[]>`
    with result as materialized (
      select * from json_to_recordset(${JSON.stringify(rows)}::text::json)
        as r (change_id text, external_id text, state text)
    ), item as (
      select i.change_id, i.external_id, i.available,
        case when i.state = 'waiting' then coalesce(r.state, 'waiting') else i.state end as state
      from availability_item i left join result r using (change_id, external_id)
      where i.change_id in (select change_id from result)
    )
    select change_id,
      array_agg(external_id) filter (where not available and state = 'done') as off
    from item group by change_id
    having not bool_or(state in ('waiting', 'failed')) and bool_or(not available and state = 'done')`;
}

/** What a queue's app shows, and what is off sale there. */
export interface LiveOffSale {
  /** Null: nothing was kept of it. */
  readonly payloadSha256: string | null;
  readonly countryCode: string;
  /** The payload's ids of each item by POS id, as JSON. */
  readonly itemIds: string;
  /** POS ids of all items off sale. */
  readonly off: readonly string[];
}

/** Undefined: nothing is live there. */
export async function findLiveOffSale(
  sql: Sql,
  { storeId, integrationId }: PublicationKey,
): Promise<LiveOffSale | undefined> {
  const [row] = await sql<LiveOffSale[]>`
    select u.payload_sha256, u.item_ids::text as item_ids, s.country_code,
      array(select external_id from availability_mark
        where store_id = ${storeId}::bigint and integration_id = ${integrationId}::bigint) as off
    from publication p join menu_upload u on u.upload_id = p.live_upload_id
    join store s on s.store_id = p.store_id
    where p.store_id = ${storeId}::bigint and p.integration_id = ${integrationId}::bigint`;
  return row;
}

/** What a change that is done says besides. */
export interface ChangeNote {
  readonly changeId: string;
  readonly sentences: readonly string[];
}

/** Adds sentences to the messages of changes that have ended `done`, in the transaction that ended them. */
export async function addNotes(tx: Transaction, notes: readonly ChangeNote[]): Promise<void> {
  if (notes.length === 0) return;
  const rows = notes.map(({ changeId, sentences }) => ({ change_id: changeId, sentences }));
  await tx`
    update availability_change c set messages = array_to_json(
      array(select json_array_elements(c.messages)) || array(select json_array_elements(n.sentences)))
    from json_to_recordset(${JSON.stringify(rows)}::text::json) as n (change_id text, sentences json)
    where c.change_id = n.change_id and c.state = 'done'`;
}
