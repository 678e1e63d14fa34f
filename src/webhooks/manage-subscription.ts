import { boundIdOf } from '../http/request-identity';
import type { Config } from '../platform/config/config';
import type { Sql } from '../platform/db/client';
import { announceDeliveries } from './sql/announcements';
import { settleOrders } from './sql/discards';
import { endEarlierSecrets } from './sql/subscription-secrets';
import {
  findSubscription,
  lockOwner,
  lockSubscription,
  saveSubscription,
  type SealedHeaders,
  subscriptionHeadersContext,
  type SubscriptionKey,
  type SubscriptionRow,
} from './sql/subscriptions';
import { EVENTS, type PlatformEvent } from './platform-events';
import { ownerInactive } from './selected-webhook';
import { readReceiverHeaders, type ReceiverHeaders } from './attempt/receiver-headers';
import { fieldError } from '../platform/errors';
import { newId, type SubscriptionId } from '../platform/ids';
import { checkWebhookUrl } from '../platform/outbound/check-url';
import type { Lookup } from '../platform/outbound/resolve-host';
import type { SecretBox } from '../platform/crypto/secrets';
import { keyLost } from '../http/idempotency-key-lost';
import { unknownSystem } from '../inventory/guards';
import { inactiveUser } from '../users/guards';
import { requireDeclaredSlow } from '../http/admission/slow-work';
import type { RequestContext } from '../http/state';
import { revealSecret, sealNewSecret } from './webhook-secrets';

export interface ManageDeps {
  readonly sql: Sql;
  readonly secrets: SecretBox;
  readonly lookup: Lookup;
  readonly settings: Pick<Config, 'WEBHOOK_ALLOW_HTTP' | 'OUTBOUND_ALLOW_CIDRS'>;
}

/** What a request says about a webhook; absent fields stay as they are. */
export interface WantedWebhook {
  readonly url: string;
  readonly events?: readonly PlatformEvent[] | null | undefined;
  readonly max_in_flight?: number | null | undefined;
  readonly max_per_second?: number | null | undefined;
  /** See `wantedHeaders`. */
  readonly headers: ReceiverHeaders | undefined;
}

export interface ManagedWebhook {
  readonly subscription: SubscriptionRow;
  /** Only for a new one. */
  readonly secret: string | undefined;
}

/**
 * Creates or changes the webhook of `key`. A retry of a request whose process died finds the change done and returns
 * the same secret. Throws the 422 of a URL that may not be called.
 */
export async function manageSubscription(
  deps: ManageDeps,
  ctx: RequestContext,
  key: SubscriptionKey,
  wanted: WantedWebhook,
): Promise<ManagedWebhook> {
  // The name server of the URL may be silent.
  requireDeclaredSlow(ctx, 'asks strangers');
  const url = await requireAllowedUrl(deps, wanted.url);
  const { subscription, newSubscriptionId } = await findOrSave(deps, ctx, key, { ...wanted, url });
  if (!subscription) throw keyLost();
  const { subscriptionId } = subscription;
  if (subscriptionId === newSubscriptionId) {
    return { subscription, secret: await revealSecret(deps, subscriptionId) };
  }
  // The change may have ended a pause.
  await wakeWebhook(deps, subscriptionId);
  return { subscription, secret: undefined };
}

interface SavedSubscription {
  /** Undefined if the key was lost. */
  readonly subscription: SubscriptionRow | undefined;
  /** A webhook with this id is new. */
  readonly newSubscriptionId: SubscriptionId;
}

async function findOrSave(
  deps: ManageDeps,
  ctx: RequestContext,
  key: SubscriptionKey,
  { url, events, headers, ...limits }: WantedWebhook,
): Promise<SavedSubscription> {
  const bound = boundIdOf(ctx.state, 'sub');
  if (bound)
    return { subscription: await findSubscription(deps.sql, key), newSubscriptionId: bound };
  return deps.sql.begin(async (tx) => {
    // The name server of the URL may have taken seconds.
    requireOwner(key, await lockOwner(tx, key));
    const known = await lockSubscription(tx, key);
    // What waits for the deleted webhook must not go to the new one, which has the same id: claims leave it out.
    if (known?.isDeleted) {
      await settleOrders(tx);
      await endEarlierSecrets(tx, known.subscriptionId);
    }
    const newSubscriptionId = known?.isDeleted ? known.subscriptionId : newId('sub');
    const sealedFor = known?.subscriptionId ?? newSubscriptionId;
    const subscription = await saveSubscription(tx, {
      key,
      newId: newSubscriptionId,
      newSecretEncrypted: sealNewSecret(deps.secrets, newSubscriptionId),
      url,
      events,
      maxInFlight: limits.max_in_flight ?? null,
      maxPerSecond: limits.max_per_second,
      ...(headers === undefined ? {} : { headers: sealHeaders(deps, sealedFor, headers) }),
      heldKey: ctx.state.heldKey,
    });
    return { subscription, newSubscriptionId };
  });
}

/** Throws the refusal of a request for a webhook whose owner was deleted, or deactivated, meanwhile. */
function requireOwner(
  { type }: SubscriptionKey,
  owner: Awaited<ReturnType<typeof lockOwner>>,
): void {
  if (owner === 'no_system') throw unknownSystem();
  if (owner === 'active') return;
  throw type === EVENTS ? inactiveUser(owner, 'user_not_active') : ownerInactive();
}

/**
 * The headers that a body asks for; undefined: they stay as they are. Throws the 422 of a header that may not be set.
 */
export function wantedHeaders(given: object | null | undefined): ReceiverHeaders | undefined {
  if (given === undefined) return undefined;
  const read = readReceiverHeaders(given ?? {});
  if (!read.ok) throw fieldError('headers', 'The headers format is invalid.', { hint: read.hint });
  return read.headers;
}

/** Tells the consumer of a webhook that deliveries may be sent to it now. */
export async function wakeWebhook(
  deps: Pick<ManageDeps, 'sql'>,
  subscriptionId: SubscriptionId,
): Promise<void> {
  await announceDeliveries(deps.sql, [subscriptionId]);
}

function sealHeaders(
  { secrets }: Pick<ManageDeps, 'secrets'>,
  sealedFor: SubscriptionId,
  headers: ReceiverHeaders,
): SealedHeaders {
  const names = Object.keys(headers);
  const context = subscriptionHeadersContext(sealedFor);
  const encrypted = names.length === 0 ? null : secrets.encrypt(JSON.stringify(headers), context);
  return { sealedFor, encrypted, names };
}

async function requireAllowedUrl(deps: ManageDeps, url: string): Promise<string> {
  const check = await checkWebhookUrl(url, {
    allowHttp: deps.settings.WEBHOOK_ALLOW_HTTP,
    allowCidrs: deps.settings.OUTBOUND_ALLOW_CIDRS,
    lookup: deps.lookup,
  });
  if (check.ok) return check.url;
  throw fieldError('url', 'The url is not allowed.', { hint: check.hint });
}
