import type { FromSchema } from 'json-schema-to-ts';
import { deliveryResendSchema } from '../../schemas/lists';
import { accepted } from '../http/accepted';
import { findOwnSystem } from '../inventory/guards';
import type { Sql } from '../platform/db/client';
import type { SubscriptionId } from '../platform/ids';
import { createValidator } from '../platform/validation/validation';
import { actorOf, permissionDenied, seesMore } from '../users/guards';
import type { TokenOwner, Viewer } from '../users/sql/users';
import { toDeliveryFilter } from './routes/deliveries';
import type { DeliveryFilter } from './sql/delivery-views';
import {
  countResendable as countWindow,
  databaseNow,
  listResendTargets,
  type ResendScope,
} from './sql/resends';

/**
 * Rows that one statement reads, whether they match or not: a second or less, where all of a webhook's may be millions.
 */
const READ_AT_ONCE = 20_000;

/** The choice of what is sent again, as in the body of a resend by filter. */
export type Chosen = FromSchema<typeof deliveryResendSchema>;

const validateChosen = createValidator<typeof deliveryResendSchema, Chosen>(deliveryResendSchema);

/** The choice of a form. Throws the API's 422 of a wrong one. */
export function chosenBy(given: unknown): Chosen {
  return accepted(validateChosen(given));
}

/** The filter of the list that is meant. */
export function filterOf(body: Chosen): DeliveryFilter {
  return toDeliveryFilter({ ...body, events: body.events === true });
}

/**
 * What the caller may send again of it. Throws the 422, 403 or 404 of a filter that names what there is not, or what the
 * caller only sees.
 */
export async function scopeOfResend(
  sql: Sql,
  caller: TokenOwner,
  body: Chosen,
): Promise<Omit<ResendScope, 'endedBefore'>> {
  const filter = filterOf(body);
  const viewer = actorOf(caller);
  if (filter.inventorySystemId !== undefined) {
    await findOwnSystem(sql, caller, filter.inventorySystemId);
  } else if (seesMore(caller)) await requireOwnWebhooks(sql, viewer, filter);
  return { viewer, filter };
}

/** Throws the 403 of a caller who sees the webhooks of others and has none of their own that match. */
async function requireOwnWebhooks(sql: Sql, viewer: Viewer, filter: DeliveryFilter): Promise<void> {
  const own = await listResendTargets(sql, { viewer, filter });
  if (own.length === 0) throw permissionDenied();
}

/**
 * How many deliveries a resend would send now. It counts on to the end, or until more than `upTo` are found or `forMs`
 * have passed: then `isCut`, and `count` is at most `upTo`.
 */
export async function countResendable(
  sql: Sql,
  chosen: Omit<ResendScope, 'endedBefore'>,
  { upTo = Infinity, forMs = Infinity }: { readonly upTo?: number; readonly forMs?: number } = {},
): Promise<{ readonly count: number; readonly isCut: boolean }> {
  const scope = { ...chosen, endedBefore: await databaseNow(sql) };
  const until = performance.now() + forMs;
  let count = 0;
  for (const subscriptionId of await listResendTargets(sql, scope)) {
    for await (const window of windowsOf(sql, scope, subscriptionId)) {
      count += window.count;
      const isLast = window.upTo === null;
      if (count > upTo || (!isLast && performance.now() > until)) {
        return { count: Math.min(count, upTo), isCut: true };
      }
    }
  }
  return { count, isCut: false };
}

/** A part of a webhook's ended deliveries in the wanted state, of which so many match; ids after `after` up to `upTo`. */
export interface Window {
  readonly after: string;
  /** Null: to the end. */
  readonly upTo: string | null;
  readonly count: number;
}

/** All of a webhook's, in order, each as large as a statement may read. */
export async function* windowsOf(
  sql: Sql,
  scope: ResendScope,
  subscriptionId: SubscriptionId,
): AsyncGenerator<Window> {
  for (let after: string | null = ''; after !== null;) {
    const page = { after, limit: READ_AT_ONCE };
    const { count, last } = await countWindow(sql, scope, subscriptionId, page);
    yield { after, upTo: last, count };
    after = last;
  }
}
