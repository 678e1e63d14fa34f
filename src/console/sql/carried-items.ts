import type { Sql } from '../../platform/db/client';
import type { WebhookType } from '../../webhooks/payload';

/** What a message to an inventory system is about. */
export interface CarriedItem {
  readonly deliveryId: string;
  readonly type: WebhookType;
  /** Of a stock movement; null of item data. Empty in a test. */
  readonly externalId: string | null;
  /** Of a stock movement: decimal strings, and 1 for what was added, 2 for what was removed. */
  readonly quantity: string | null;
  readonly currentStock: string | null;
  readonly movementType: string | null;
  /** Of item data: how many items, and what the first few are called by the POS. */
  readonly itemCount: number | null;
  readonly firstItems: readonly string[] | null;
}

/** By the id of the delivery. What is absent is an event, is gone, or is too large to be looked into for a list. */
export type CarriedItems = ReadonlyMap<string, CarriedItem>;

/** The rows of a list that may carry items, as the API answers them. */
interface Listed {
  readonly delivery_id: string;
  readonly type: number | string;
  readonly finished_at: Date | string | null;
}

/** Bytes of a payload on disk; 100 larger ones would make a list wait for their parsing. */
const MOST_BYTES = 4_096;
/** Items of item data that are named; their fields are the POS's own. */
const NAMED_ITEMS = 2;
const LONGEST_NAME = 100;

/**
 * What the messages of one page are about. An ended one is looked for in the partition of its end only; the driver reads
 * times to the millisecond.
 */
export async function listCarriedItems(
  sql: Sql,
  deliveries: readonly Listed[],
): Promise<CarriedItems> {
  const messages = deliveries.filter(({ type }) => typeof type === 'number');
  if (messages.length === 0) return new Map();
  const waiting = messages.filter(({ finished_at: at }) => at === null);
  const ended = messages.filter(({ finished_at: at }) => at !== null);
  const rows = await sql<CarriedItem[]>`
    select d.delivery_id, d.type,
      case when d.type = 2 then d.payload ->> 'external_id' end as external_id,
      case when d.type = 2 then d.payload ->> 'quantity' end as quantity,
      case when d.type = 2 then d.payload ->> 'current_stock' end as current_stock,
      case when d.type = 2 then d.payload ->> 'movement_type' end as movement_type,
      case when d.type = 1 then json_array_length(d.payload -> 'items') end as item_count,
      case when d.type = 1 then (
        select json_agg(left(name, ${LONGEST_NAME}))
        from (
          select coalesce(item ->> 'external_id', item ->> 'id', item ->> 'name') as name
          from json_array_elements(d.payload -> 'items') as item
          where json_typeof(item) = 'object' limit ${NAMED_ITEMS}) as first
        where name is not null) end as first_items
    from (
      select d.delivery_id, d.type, d.payload from delivery d
      where d.delivery_id = any(${waiting.map((each) => each.delivery_id)}::text[])
        and pg_column_size(d.payload) <= ${MOST_BYTES}
      union all
      select d.delivery_id, d.type, d.payload
      from unnest(${ended.map((each) => each.delivery_id)}::text[],
        ${ended.map(({ finished_at: at }) => new Date(at ?? 0).getTime())}::float8[]) as listed (delivery_id, ended_ms)
      cross join lateral (select timestamptz 'epoch' + ended_ms * interval '1 ms' as ended_at) as at
      cross join lateral (
        select d.delivery_id, d.type, d.payload from ended_delivery d
        where d.delivery_id = listed.delivery_id and d.finished_at >= at.ended_at
          and d.finished_at < at.ended_at + interval '1 ms') as d
      where pg_column_size(d.payload) <= ${MOST_BYTES}
    ) as d`;
  return new Map(rows.map((row) => [row.deliveryId, row]));
}
