import { randomBytes } from 'node:crypto';

declare const brand: unique symbol;
/** A prefixed id; the brand keeps an upload id from being handed in for a delivery id. */
export type Id<Prefix extends string> = `${Prefix}_${string}` & { readonly [brand]: Prefix };
export type UploadId = Id<'upl'>;
export type DeliveryId = Id<'dlv'>;
export type MessageId = Id<'msg'>;
export type SubscriptionId = Id<'sub'>;
export type UserId = Id<'usr'>;
export type TokenId = Id<'tok'>;

/** Time-ordered (48-bit ms prefix), so that primary-key inserts stay at the right edge of the index. */
export function newId<Prefix extends string>(prefix: Prefix, now = Date.now()): Id<Prefix> {
  const time = now.toString(16).padStart(12, '0');
  return `${prefix}_${time}${randomBytes(10).toString('hex')}` as Id<Prefix>;
}

/** Whether `text` has the form of such an id; a boundary check before it goes into a query. */
export function isId<Prefix extends string>(prefix: Prefix, text: string): text is Id<Prefix> {
  return text.startsWith(`${prefix}_`) && /^[a-z]{3}_[0-9a-f]{32}$/.test(text);
}
