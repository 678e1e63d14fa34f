import type { PendingQuery, Row } from 'postgres';
import type { DisabledReason } from '../attempt/circuit-breaker';
import { EVENTS, type MessageType, type PlatformEvent } from '../platform-events';
import type { WebhookType } from '../payload';
import type { SubscriptionId, UserId } from '../../platform/ids';
import type { UserState } from '../../users/sql/users';
import type { Sql, Transaction } from '../../platform/db/client';
import { bindHeldKey, type HeldKey } from '../../http/sql/idempotency';

/**
 * The context for which a subscription's secrets are sealed: the same for both columns, so that a rotation can copy
 * one to the other.
 */
export function subscriptionSecretContext(subscriptionId: string): string {
  return `subscription/secret/${subscriptionId}`;
}

/** The context for which the headers of a subscription's receiver are sealed. */
export function subscriptionHeadersContext(subscriptionId: string): string {
  return `subscription/headers/${subscriptionId}`;
}

/** The owner of a webhook: an inventory system for one type, or a user for events. */
export type SubscriptionKey =
  | { readonly inventorySystemId: string; readonly type: WebhookType }
  | { readonly userId: UserId; readonly type: typeof EVENTS };

/** The subscription of this key, as a condition on subscription `s`. */
export function isOf(sql: Transaction, key: SubscriptionKey): PendingQuery<Row[]> {
  return key.type === EVENTS
    ? sql`s.user_id = ${key.userId}`
    : sql`s.inventory_system_id = ${key.inventorySystemId}::uuid and s.type = ${key.type}::smallint`;
}

export interface SubscriptionRow {
  readonly subscriptionId: SubscriptionId;
  readonly type: MessageType;
  /** Null for events. */
  readonly inventorySystemId: string | null;
  /** Which events are wanted; null: all. */
  readonly events: readonly PlatformEvent[] | null;
  readonly url: string;
  readonly state: 'enabled' | 'disabled';
  readonly disabledReason: DisabledReason | null;
  readonly maxInFlight: number;
  readonly maxPerSecond: number | null;
  readonly headerNames: readonly string[];
}

/** Headers of the receiver, sealed for one subscription; null = none. */
export interface SealedHeaders {
  readonly sealedFor: SubscriptionId;
  readonly encrypted: Buffer | null;
  readonly names: readonly string[];
}

export interface SubscriptionSettings {
  readonly key: SubscriptionKey;
  /** Its id if it is new; if the webhook has this id afterwards, it was new. */
  readonly newId: SubscriptionId;
  readonly newSecretEncrypted: Buffer;
  readonly url: string;
  /** Null: 20 for a new one, unchanged otherwise. */
  readonly maxInFlight: number | null;
  /** Undefined: unchanged. Null: all. */
  readonly events?: readonly PlatformEvent[] | null | undefined;
  /** Undefined: unchanged. Null: no limit. */
  readonly maxPerSecond?: number | null | undefined;
  /** Undefined: unchanged. Ignored unless they were sealed for this very subscription. */
  readonly headers?: SealedHeaders;
  readonly heldKey: HeldKey | null;
}

/**
 * Registers a webhook or changes the existing one. A new URL is a new receiver with a clean record; a disabled
 * subscription stays disabled until it is enabled. A deleted one is created as new if `newId` is its id. Undefined if
 * the idempotency key was lost, or if it was deleted meanwhile.
 */
export async function saveSubscription(
  sql: Transaction,
  settings: SubscriptionSettings,
): Promise<SubscriptionRow | undefined> {
  const {
    newId,
    newSecretEncrypted,
    key,
    url,
    events,
    maxInFlight,
    maxPerSecond,
    headers,
    heldKey,
  } = settings;
  const encrypted = headers?.encrypted ?? null;
  const names = [...(headers?.names ?? [])];
  const chosen = events ? [...events] : null;
  const owner = key.type === EVENTS ? { userId: key.userId } : key;
  const [inventorySystemId, userId] =
    'userId' in owner ? [null, owner.userId] : [owner.inventorySystemId, null];
  const [row] = await sql<SubscriptionRow[]>`
    with held_key as (${bindHeldKey(sql, heldKey, newId)})
    insert into subscription as s
      (subscription_id, inventory_system_id, user_id, type, url, events, max_in_flight, max_per_second,
        secret_encrypted, headers_encrypted, header_names)
    select ${newId}, ${inventorySystemId}::uuid, ${userId}, ${key.type}::smallint,
      ${url}, ${chosen}::text[], coalesce(${maxInFlight}::int, 20), ${maxPerSecond ?? null}::int, ${newSecretEncrypted}::bytea,
      ${encrypted}::bytea, ${names}::text[]
    from held_key
    on conflict ${userId === null ? sql`(inventory_system_id, type)` : sql`(user_id) where user_id is not null`}
    do update set url = excluded.url,
      events = case when ${events === undefined}::boolean and s.deleted_at is null then s.events
        else excluded.events end,
      max_in_flight = coalesce(${maxInFlight}::int,
        case when s.deleted_at is null then s.max_in_flight else 20 end),
      max_per_second = case
        when ${maxPerSecond === undefined}::boolean and s.deleted_at is null then s.max_per_second
        else ${maxPerSecond ?? null}::int end,
      headers_encrypted = case when s.subscription_id = ${headers?.sealedFor ?? null}::text
        then ${encrypted}::bytea when s.deleted_at is null then s.headers_encrypted end,
      header_names = case when s.subscription_id = ${headers?.sealedFor ?? null}::text
        then ${names}::text[] when s.deleted_at is null then s.header_names else '{}' end,
      consecutive_failures =
        case when s.url = excluded.url and s.deleted_at is null then s.consecutive_failures else 0 end,
      failing_since =
        case when s.url = excluded.url and s.deleted_at is null then s.failing_since end,
      paused_until =
        case when s.url = excluded.url and s.deleted_at is null then s.paused_until end,
      pause_asked = s.pause_asked and s.url = excluded.url and s.deleted_at is null,
      told_paused = s.told_paused and s.url = excluded.url and s.deleted_at is null,
      health_version =
        s.health_version + (s.url <> excluded.url or s.deleted_at is not null)::int,
      state = case when s.deleted_at is null then s.state else 'enabled' end,
      disabled_reason = case when s.deleted_at is null then s.disabled_reason end,
      secret_encrypted =
        case when s.deleted_at is null then s.secret_encrypted else excluded.secret_encrypted end,
      secret_id = case when s.deleted_at is null then s.secret_id else 'first' end,
      previous_valid_until = case when s.deleted_at is null then s.previous_valid_until end,
      deleted_at = null
    where s.deleted_at is null or s.subscription_id = excluded.subscription_id
    returning ${shownColumns(sql)}`;
  return row;
}

/** The columns of a `SubscriptionRow`, for subscription `s`. */
export function shownColumns(sql: Transaction): PendingQuery<Row[]> {
  return sql`s.subscription_id, s.inventory_system_id, s.type, s.events, s.url, s.state, s.disabled_reason,
    s.max_in_flight, s.max_per_second, s.header_names`;
}

export async function findSubscription(
  sql: Sql,
  key: SubscriptionKey,
): Promise<SubscriptionRow | undefined> {
  const [row] = await sql<SubscriptionRow[]>`
    select ${shownColumns(sql)} from subscription s
    where ${isOf(sql, key)} and s.deleted_at is null`;
  return row;
}

/**
 * Locks the owner of a webhook, whose row stands for one that is not there yet: until the end of the transaction no
 * other request creates, changes or deletes the webhook, or deactivates or deletes its owner. Not `for update`, for
 * which foreign keys would wait.
 */
export async function lockOwner(
  tx: Transaction,
  key: SubscriptionKey,
): Promise<Exclude<UserState, 'active'> | 'no_system' | 'active'> {
  if (key.type === EVENTS) {
    const [user] = await tx<{ state: UserState }[]>`
      select state from app_user where user_id = ${key.userId} for no key update`;
    return user?.state ?? 'deleted';
  }
  const [system] = await tx<{ createdBy: UserId }[]>`
    select created_by from inventory_system
    where inventory_system_id = ${key.inventorySystemId}::uuid and deleted_at is null
    for no key update`;
  if (!system) return 'no_system';
  const [user] = await tx<{ state: UserState }[]>`
    select state from app_user where user_id = ${system.createdBy} for share`;
  return user?.state ?? 'deleted';
}

/** Locks the webhook, a deleted one too, because its id is used again; undefined if there never was one. */
export async function lockSubscription(
  tx: Transaction,
  key: SubscriptionKey,
): Promise<{ subscriptionId: SubscriptionId; isDeleted: boolean } | undefined> {
  const [row] = await tx<{ subscriptionId: SubscriptionId; isDeleted: boolean }[]>`
    select s.subscription_id, s.deleted_at is not null as is_deleted from subscription s
    where ${isOf(tx, key)} for no key update`;
  return row;
}
