import { randomFillSync } from 'node:crypto';

declare const brand: unique symbol;
/** A prefixed id; the brand keeps an upload id from being passed as a delivery id. */
export type Id<Prefix extends string> = `${Prefix}_${string}` & { readonly [brand]: Prefix };
export type UploadId = Id<'upl'>;
export type DeliveryId = Id<'dlv'>;
export type MessageId = Id<'msg'>;
export type SubscriptionId = Id<'sub'>;
export type UserId = Id<'usr'>;
export type TokenId = Id<'tok'>;
export type ChangeId = Id<'avc'>;
/** The id that the uploads of one request to change items share. */
export type MenuChangeRequestId = Id<'mcr'>;
/** The id that the changes of one request share. */
export type ChangeRequestId = Id<'avr'>;

/** Time-ordered (48-bit ms prefix), so that primary-key inserts stay at the right edge of the index. */
export function newId<Prefix extends string>(prefix: Prefix, now = Date.now()): Id<Prefix> {
  return `${firstId(prefix, now)}${randomHex()}` as Id<Prefix>;
}

/** A lower bound for all ids of this prefix made from `at` (ms since the epoch) on. */
export function firstId(prefix: string, at: number): string {
  return `${prefix}_${Math.max(0, Math.floor(at)).toString(16).padStart(12, '0')}`;
}

/** The most by which an id's time, of its maker's clock, and `created_at`, of the database's, should differ, ms. */
const APART_MS = 60_000;

/** Rows that were created from `since` on and before `until`. */
export interface TimeFilter {
  readonly since?: Date;
  readonly until?: Date;
}

/** The ids, from `first` up to, not including, `past`, that the rows of a time may have; null: no bound. */
export function idsOfTime(prefix: string, { since, until }: TimeFilter) {
  return {
    first: since === undefined ? null : firstId(prefix, since.getTime() - APART_MS),
    past: until === undefined ? null : firstId(prefix, until.getTime() + APART_MS),
  };
}

const RANDOM_BYTES = 10;
/** Random bytes for the next ids, because requesting a few costs as much as requesting many. */
const random = Buffer.alloc(200 * RANDOM_BYTES);
let used = random.length;

function randomHex(): string {
  if (used === random.length) {
    randomFillSync(random);
    used = 0;
  }
  used += RANDOM_BYTES;
  return random.toString('hex', used - RANDOM_BYTES, used);
}

/** Whether `text` has the form of such an id; a boundary check before it goes into a query. */
export function isId<Prefix extends string>(prefix: Prefix, text: string): text is Id<Prefix> {
  return text.startsWith(`${prefix}_`) && /^[a-z]{3}_[0-9a-f]{32}$/.test(text);
}
