import { firstId } from '../../platform/ids';
import { isVisible } from '../../uploads/sql/upload-views';
import { seesFewStores } from '../../users/sql/store-access';
import type { Viewer } from '../../users/sql/users';
import type { Sql } from '../../platform/db/client';
import { keyIs } from '../../platform/db/key-is';
import { isOfWebhook } from '../../webhooks/sql/delivery-views';
import type { MessageType } from '../../webhooks/platform-events';
import { ownSubscriptions } from './own-subscriptions';

const HOUR_MS = 3_600_000;
/** The most rows counted for a figure, so that the cost of the page does not grow with their number. */
const COUNTED_ROWS = 50_000;

/** A webhook that currently gets no deliveries. */
export interface TroubledWebhook {
  /** Null: it gets events, and belongs to a user. */
  readonly systemName: string | null;
  readonly inventorySystemId: string | null;
  /** Of a webhook for events, whether it is the viewer's own: only its user enables it. */
  readonly isOwn: boolean | null;
  readonly type: MessageType;
  readonly url: string;
  readonly state: 'enabled' | 'disabled';
  readonly disabledReason: string | null;
  readonly pausedUntil: Date | null;
  readonly failingSince: Date | null;
  /** Deliveries that wait for it, up to 1,000. */
  readonly waiting: number;
  readonly oldestWaitingAt: Date | null;
}

/** The most deliveries that are counted for a webhook. */
const COUNTED_WAITING = 1_000;

/** Webhooks of the viewer that are disabled, paused or failing; at most 20, the longest failing first. */
export async function listTroubledWebhooks(sql: Sql, viewer: Viewer): Promise<TroubledWebhook[]> {
  const seen = viewer.seesAll
    ? sql`subscription s`
    : sql`(${ownSubscriptions(sql, viewer.userId)}) as own join subscription s using (subscription_id)`;
  return sql<TroubledWebhook[]>`
    select troubled.*, waiting.count as waiting, waiting.oldest_at as oldest_waiting_at from (
      select i.name as system_name, s.inventory_system_id, s.user_id = ${viewer.userId} as is_own, s.type, s.url, s.state,
        s.disabled_reason, s.paused_until, s.failing_since, s.subscription_id
      from ${seen} left join inventory_system i using (inventory_system_id)
      where s.deleted_at is null
        and (s.state = 'disabled' or s.paused_until > now() or s.failing_since < now() - interval '1 min')
      order by s.failing_since nulls last limit 20) as troubled
    cross join lateral (
      select count(*)::int as count, min(created_at) as oldest_at from (
        select d.created_at from delivery d where ${isOfWebhook(sql, sql`troubled.subscription_id`)}
        order by d.subscription_id, d.delivery_id limit ${COUNTED_WAITING}) as oldest) as waiting
    order by troubled.failing_since nulls last`;
}

export interface UploadCount {
  readonly app: string;
  readonly state: string;
  readonly count: number;
}

/** Uploads of the viewer's stores of the last day, by app and state. */
export async function countUploadsOfDay(sql: Sql, viewer: Viewer): Promise<UploadCount[]> {
  const dayAgo = firstId('upl', Date.now() - 24 * HOUR_MS);
  // By the index of stores: everybody's uploads of the day are many, and so are older ones of a store.
  const ofDay = (await seesFewStores(sql, viewer))
    ? sql`
      select u.integration_id, u.state from user_store us
      cross join lateral (
        select u.integration_id, u.state from menu_upload u
        where ${keyIs(sql, sql`u.store_id`, sql`us.store_id`)} and u.upload_id > ${dayAgo}
        order by u.store_id desc, u.upload_id desc limit ${COUNTED_ROWS}) as u
      where us.user_id = ${viewer.userId}`
    : sql`
      select u.integration_id, u.state from menu_upload u
      where u.upload_id > ${dayAgo} and ${isVisible(sql, viewer)}`;
  return sql<UploadCount[]>`
    select i.app, newest.state, count(*)::int as count
    from (${ofDay} limit ${COUNTED_ROWS}) as newest join integration i using (integration_id)
    group by i.app, newest.state order by i.app, newest.state`;
}
