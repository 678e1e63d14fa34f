import type { Sql } from '../../platform/db/client';
import type { ChangeState } from '../../availability/availability';
import type { RolloutState } from '../../rollouts/rollout';
import type { UploadState } from '../../uploads/upload';
import type { DeliveryState } from '../../webhooks/delivery';
import { itemOf } from '../../webhooks/sql/delivery-views';

/** Characters of the id of an item in a title. */
const LONGEST_ITEM = 100;

/** Who did it; null: nobody whose name is known, as of a change of our own making. */
interface Doer {
  readonly userId: string | null;
  readonly userName: string | null;
}

export interface UploadFacts extends Doer {
  readonly id: string;
  readonly integration: string;
  readonly state: UploadState;
  readonly messages: readonly string[];
  /** Of single items, and no whole menu. */
  readonly isChange: boolean;
}

/** The uploads among `ids`. */
export async function listUploadFacts(sql: Sql, ids: readonly string[]): Promise<UploadFacts[]> {
  return sql<UploadFacts[]>`
    select u.upload_id as id, i.name as integration, u.state, u.messages,
      u.changed_from is not null as is_change, u.user_id, n.name as user_name
    from menu_upload u join integration i using (integration_id) left join app_user n using (user_id)
    where u.upload_id = any(${[...ids]}::text[])`;
}

export interface RolloutFacts extends Doer {
  readonly id: string;
  readonly rolloutId: string;
  readonly state: RolloutState;
  /** The upload is one that takes it back. */
  readonly isRevert: boolean;
}

/** The rollouts of the uploads among `ids`. */
export async function listRolloutFacts(sql: Sql, ids: readonly string[]): Promise<RolloutFacts[]> {
  return sql<RolloutFacts[]>`
    select u.upload_id as id, o.rollout_id, o.state, o.user_id, n.name as user_name,
      coalesce(u.created_at >= o.revert_began_at, false) as is_revert
    from menu_upload u join rollout o using (rollout_id) left join app_user n on n.user_id = o.user_id
    where u.upload_id = any(${[...ids]}::text[])`;
}

export interface ChangeFacts extends Doer {
  readonly id: string;
  /** The name of the integration; the words of the caller, where they named none that exists. */
  readonly integration: string;
  readonly kind: 'items' | 'pause' | 'special_days';
  readonly cause: 'api' | 'stock' | 'until' | 'season' | 'setting';
  readonly state: ChangeState;
  readonly messages: readonly string[];
  /** Of a pause. */
  readonly paused: boolean | null;
  readonly until: Date | null;
  readonly reason: string | null;
  readonly itemCount: number;
  /** The first of its items; `until` is Postgres' own text. */
  readonly items: readonly {
    readonly external_id: string;
    readonly available: boolean;
    readonly until: string | null;
  }[];
}

/** How many of a change's items are named. */
export const NAMED_ITEMS = 3;

/** The changes among `ids`. */
export async function listChangeFacts(sql: Sql, ids: readonly string[]): Promise<ChangeFacts[]> {
  return sql<ChangeFacts[]>`
    select c.change_id as id, coalesce(i.name, c.named_integration) as integration, c.kind, c.cause, c.state,
      c.messages, c.paused, c.until, c.reason, c.user_id, n.name as user_name,
      (select count(*) from availability_item t where t.change_id = coalesce(c.items_of, c.change_id))::int
        as item_count,
      (select coalesce(json_agg(json_build_object('external_id', t.external_id, 'available', t.available,
          'until', t.until) order by t.position), '[]')
        from (select * from availability_item t where t.change_id = coalesce(c.items_of, c.change_id)
          order by t.position limit ${NAMED_ITEMS}) as t) as items
    from availability_change c left join integration i using (integration_id)
    left join app_user n on n.user_id = c.user_id
    where c.change_id = any(${[...ids]}::text[])`;
}

export interface FindingFacts {
  readonly id: string;
  readonly integration: string;
  readonly state: 'changed' | 'same';
  readonly changesCount: number | null;
}

/** The findings of readings among `ids`, which are numbers with zeros before them. */
export async function listFindingFacts(sql: Sql, ids: readonly string[]): Promise<FindingFacts[]> {
  return sql<FindingFacts[]>`
    select lpad(f.finding_no::text, 19, '0') as id, i.name as integration, f.state, f.changes_count
    from drift_finding f join integration i using (integration_id)
    where f.finding_no = any(${ids.map(Number)}::bigint[])`;
}

export interface DeliveryFacts extends Doer {
  readonly id: string;
  readonly state: DeliveryState;
  readonly type: number;
  /** The item of a stock movement; null: item data. */
  readonly externalId: string | null;
  readonly attemptsMade: number;
  readonly message: string | null;
  readonly systemName: string | null;
  /** Who made the system, and so may know its name. */
  readonly systemOwner: string | null;
}

/** The deliveries among `ids` that ended from `from` on: a delivery that was sent again is none of them any more. */
export async function listDeliveryFacts(
  sql: Sql,
  ids: readonly string[],
  { from, to }: { readonly from: number; readonly to: number },
): Promise<DeliveryFacts[]> {
  const moment = (us: number) => sql`timestamptz 'epoch' + ${us}::bigint * interval '1 us'`;
  return sql<DeliveryFacts[]>`
    select d.delivery_id as id, d.state, d.type, left(${itemOf(sql, true)}, ${LONGEST_ITEM}) as external_id,
      d.attempts_made, d.message, s.name as system_name, s.created_by as system_owner, d.user_id, n.name as user_name
    from ended_delivery d left join inventory_system s using (inventory_system_id)
    left join app_user n on n.user_id = d.user_id
    where d.delivery_id = any(${[...ids]}::text[])
      and d.finished_at between ${moment(from)} and ${moment(to)}`;
}
