import type { AppName } from '../../delivery-apps/types';
import {
  type ChangeKind,
  describeItems,
  STORE_IS_GONE,
  type StoreChangeKind,
} from '../availability';
import { endChanges, endStoreChanges } from './changes';
import { endLapsedItems, endLapsedPause, lookAtSpecialDays } from './timed-ends';
import { giveUpChanges } from './give-up';
import { followMenu } from './repeats';
import { turnSeasons } from './seasons';
import type { UploadId } from '../../platform/ids';
import type { Sql, Transaction } from '../../platform/db/client';
import { leaseIsTaken } from '../../platform/queue/lease';
import { onlyRow } from '../../platform/db/only-row';
import type { PublicationKey } from '../../uploads/sql/publications';
import { NO_INTEGRATION } from '../../uploads/usable-integration';

/** One that cannot be called is checked again after this time, or when it is configured or its store connected. */
const UNUSABLE_PAUSE_MS = 15 * 60_000;

export type AvailabilityClaim =
  | { readonly kind: 'idle' }
  /** `summary`: a sentence for people that says why, and until when. */
  | { readonly kind: 'wait'; readonly ms: number; readonly summary: string }
  | { readonly kind: ChangeKind; readonly claimNo: number; readonly summary: string };

/** What a claim must know about this deployment. */
interface QueueRules {
  /** Whose menus do not contain what is off sale, or take effect later than they are sent. */
  readonly toldAgain: ReadonlySet<AppName>;
  /** That know special days without their year. */
  readonly daysHaveNoYear: ReadonlySet<AppName>;
  /** That have an adapter which is enabled. */
  readonly enabled: ReadonlySet<AppName>;
  /** A caller's change that has waited so long for an integration that can be called ends `failed`, ms. */
  readonly giveUpAfterMs: number;
}

/** The queue when it is claimed. */
interface QueueRow {
  readonly claimNo: number;
  readonly app: AppName;
  readonly isUsable: boolean;
  readonly isStoreDeleted: boolean;
  readonly retryMs: number;
  /** How often in a row the app has failed. */
  readonly failuresInARow: number;
  readonly liveUploadId: UploadId | null;
  readonly toldUploadId: UploadId | null;
}

/**
 * Determines what a queue must do next: ends changes whose time has passed, tells an app again after a menu, gives up
 * what a caller wanted of an integration that cannot be called, and takes the lease. A second claim fences the
 * first one. For `idle` and `wait` it is given back. A new change locks the queue's row too: either it comes
 * before this query and is seen, or it comes later, finds no lease and wakes.
 */
export async function claimAvailability(
  sql: Sql,
  key: PublicationKey,
  rules: QueueRules,
): Promise<AvailabilityClaim> {
  return sql.begin(async (tx): Promise<AvailabilityClaim> => {
    const queue = await claimQueue(tx, key);
    if (!queue) return { kind: 'idle' };
    const claim = queue.isStoreDeleted
      ? await endQueueOfDeletedStore(tx, key)
      : await endLapsedAndDecide(tx, key, queue, rules);
    if (claim.kind === 'idle' || claim.kind === 'wait') await giveLeaseBack(tx, key);
    return claim;
  });
}

async function endLapsedAndDecide(
  tx: Transaction,
  key: PublicationKey,
  queue: QueueRow,
  { toldAgain, daysHaveNoYear, enabled, giveUpAfterMs }: QueueRules,
): Promise<AvailabilityClaim> {
  await endLapsedItems(tx, key);
  await endLapsedPause(tx, key);
  await lookAtSpecialDays(tx, key, { daysHaveNoYear: daysHaveNoYear.has(queue.app) });
  if (queue.liveUploadId !== null && queue.liveUploadId !== queue.toldUploadId) {
    await followMenu(tx, key, queue.liveUploadId, toldAgain.has(queue.app));
  }
  await turnSeasons(tx, key);
  const isUsable = queue.isUsable && enabled.has(queue.app);
  if (!isUsable) {
    // What a time, stock or a setting has ended is kept until the app can be told.
    const isTooOld = tx`
      c.cause = 'api' and c.created_at <= now() - ${giveUpAfterMs}::float8 * interval '1 ms'`;
    await giveUpChanges(tx, key, isTooOld, NO_INTEGRATION);
  }
  await endChanges(tx, key);
  return decideNext(tx, key, { ...queue, isUsable }, giveUpAfterMs);
}

async function giveLeaseBack(
  tx: Transaction,
  { storeId, integrationId }: PublicationKey,
): Promise<void> {
  await tx`
    update availability_queue set lease_until = null
    where store_id = ${storeId}::bigint and integration_id = ${integrationId}::bigint`;
}

async function claimQueue(tx: Transaction, key: PublicationKey): Promise<QueueRow | undefined> {
  const [queue] = await tx<QueueRow[]>`
    with claimed as (
      update availability_queue set claim_no = claim_no + 1, ${leaseIsTaken(tx)}
      where store_id = ${key.storeId}::bigint and integration_id = ${key.integrationId}::bigint
      returning *
    )
    select c.claim_no, c.told_upload_id, c.rounds as failures_in_a_row, i.app, p.live_upload_id,
      greatest(extract(epoch from c.retry_at - clock_timestamp()) * 1000, 0)::float8 as retry_ms,
      s.deleted_at is not null as is_store_deleted,
      i.active and i.base_url is not null and i.client_id is not null
        and i.client_secret_encrypted is not null and r.credential_encrypted is not null
        and r.delivery_id is not null as is_usable
    from claimed c join store s using (store_id) join integration i using (integration_id)
    join store_integration r using (store_id, integration_id)
    left join publication p using (store_id, integration_id)`;
  return queue;
}

/** The apps of a deleted store are left as they are; waiting changes end, and nothing is remembered. */
async function endQueueOfDeletedStore(
  tx: Transaction,
  key: PublicationKey,
): Promise<AvailabilityClaim> {
  const { storeId, integrationId } = key;
  await tx`
    update availability_item set state = 'failed', message = ${STORE_IS_GONE}
    where store_id = ${storeId}::bigint and integration_id = ${integrationId}::bigint
      and state = 'waiting'`;
  await endChanges(tx, key);
  for (const kind of ['pause', 'special_days'] as const) {
    await endStoreChanges(tx, key, { kind, state: 'failed', messages: [STORE_IS_GONE] });
  }
  await tx`
    delete from availability_mark
    where store_id = ${storeId}::bigint and integration_id = ${integrationId}::bigint`;
  await tx`
    delete from store_pause
    where store_id = ${storeId}::bigint and integration_id = ${integrationId}::bigint`;
  await tx`
    delete from store_special_days
    where store_id = ${storeId}::bigint and integration_id = ${integrationId}::bigint`;
  await tx`
    delete from item_season
    where store_id = ${storeId}::bigint and integration_id = ${integrationId}::bigint`;
  return { kind: 'idle' };
}

/** The work of a queue. Times are from now until it is due; null = there is none of this kind. */
interface NextRow {
  /** Changes of the whole store, which are due at once, in the order in which they are made. */
  readonly ofStore: readonly {
    readonly kind: StoreChangeKind;
    readonly paused: boolean | null;
    readonly tried: boolean;
  }[];
  readonly itemMs: number | null;
  /** How long the oldest change of a caller has waited. */
  readonly apiAgeMs: number | null;
  /** Time until the first `until` of an item or a pause, the end of a special day, or the turn of a season. */
  readonly untilMs: number | null;
  readonly off: number;
  readonly onSale: number;
}

async function decideNext(
  tx: Transaction,
  key: PublicationKey,
  { claimNo, isUsable, retryMs, failuresInARow }: QueueRow,
  giveUpAfterMs: number,
): Promise<AvailabilityClaim> {
  const next = await findNext(tx, key);
  const waitsMs = isUsable ? retryMs : UNUSABLE_PAUSE_MS;
  const { itemMs, ofStore, apiAgeMs } = next;
  const areItemsDue = itemMs !== null && Math.max(itemMs, waitsMs) <= 0;
  const due = [
    ...(waitsMs === 0 ? ofStore : []),
    ...(areItemsDue ? [{ kind: 'items', tried: false } as const] : []),
  ];
  // The first kind goes first, but one that keeps failing takes turns with the others.
  const turn = due[0]?.tried ? failuresInARow % due.length : 0;
  const change = due[turn];
  if (change) {
    await markRunning(tx, key, change.kind);
    return { kind: change.kind, claimNo, summary: summaryOf(change, next) };
  }
  const ofStoreMs = ofStore.length > 0 ? 0 : null;
  const dues = [itemMs, ofStoreMs].flatMap((ms) => (ms === null ? [] : Math.max(ms, waitsMs)));
  const ends = [next.untilMs, isUsable || apiAgeMs === null ? null : giveUpAfterMs - apiAgeMs];
  const wait = Math.min(...dues, ...ends.filter((ms) => ms !== null));
  if (!Number.isFinite(wait)) return { kind: 'idle' };
  if (!isUsable && dues.length > 0) await postponeUnusable(tx, key);
  const until = new Date(Date.now() + wait).toISOString();
  const why = dues.length > 0 ? 'the next try' : 'the first time that ends';
  return {
    kind: 'wait',
    ms: Math.max(1, Math.ceil(wait)),
    summary: `Waits for ${why}, at ${until}.`,
  };
}

function summaryOf(
  change: { readonly kind: ChangeKind; readonly paused?: boolean | null },
  { off, onSale }: NextRow,
): string {
  switch (change.kind) {
    case 'items':
      return `Switching ${describeItems(off, onSale)}.`;
    case 'pause':
      return change.paused ? 'Pausing the store.' : 'Ending the pause of the store.';
    case 'special_days':
      return 'Setting the special days of the store.';
  }
}

async function findNext(
  tx: Transaction,
  { storeId, integrationId }: PublicationKey,
): Promise<NextRow> {
  const rows = await tx<NextRow[]>`
    with waiting as (
      select * from availability_change c
      where c.store_id = ${storeId}::bigint and c.integration_id = ${integrationId}::bigint
        and c.state in ('queued', 'running')
    ), items as (
      select available from availability_item
      where store_id = ${storeId}::bigint and integration_id = ${integrationId}::bigint
        and state = 'waiting'
    )
    select
      -- Without a row there is no minimum: greatest() would make 0 of it, which is work that never ends.
      (select (greatest(extract(epoch from min(due_at) - clock_timestamp()), 0) * 1000)::float8
        from waiting where kind = 'items' having count(*) > 0) as item_ms,
      (select (extract(epoch from clock_timestamp() - min(created_at)) * 1000)::float8
        from waiting where cause = 'api') as api_age_ms,
      (select coalesce(json_agg(json_build_object('kind', kind, 'paused', paused, 'tried', tried)
          order by kind), '[]') from waiting where kind <> 'items') as of_store,
      (select count(*) from items where not available)::int as off,
      (select count(*) from items where available)::int as on_sale,
      (select (greatest(extract(epoch from min(at) - clock_timestamp()), 0) * 1000)::float8 from (
        -- A bare min() may be read off the index on api_until: of everybody's, where this queue has none.
        select min(api_until) filter (where api_until is not null) as at from availability_mark
        where store_id = ${storeId}::bigint and integration_id = ${integrationId}::bigint
        union all
        select until from store_pause
        where store_id = ${storeId}::bigint and integration_id = ${integrationId}::bigint
        union all
        select next_look_at from store_special_days
        where store_id = ${storeId}::bigint and integration_id = ${integrationId}::bigint
        union all
        select min(turns_at) filter (where turns_at is not null) from item_season
        where store_id = ${storeId}::bigint and integration_id = ${integrationId}::bigint
      ) as ends having min(at) is not null) as until_ms`;
  return onlyRow(rows);
}

async function markRunning(
  tx: Transaction,
  { storeId, integrationId }: PublicationKey,
  kind: ChangeKind,
): Promise<void> {
  // Changes by stock that are still being collected are included.
  await tx`
    update availability_change set state = 'running'
    where store_id = ${storeId}::bigint and integration_id = ${integrationId}::bigint
      and kind = ${kind} and state = 'queued'`;
}

async function postponeUnusable(
  tx: Transaction,
  { storeId, integrationId }: PublicationKey,
): Promise<void> {
  await tx`
    update availability_queue set retry_is_asked = false, unusable_at = now(),
      retry_at = now() + ${UNUSABLE_PAUSE_MS}::int * interval '1 ms'
    where store_id = ${storeId}::bigint and integration_id = ${integrationId}::bigint`;
}
