import type { Sql } from '../platform/db/client';
import {
  findSubscriptionSecret,
  rotateSubscriptionSecret,
  subscriptionSecretContext,
} from './sql/subscriptions';
import type { SubscriptionId } from '../platform/ids';
import type { SecretBox } from '../platform/crypto/secrets';
import { generateSecret } from '../platform/crypto/signing';
import { keyLost } from '../http/idempotency-key-lost';
import type { RequestContext } from '../http/state';

/** A fresh signing secret, sealed for its subscription. */
export function sealNewSecret(secrets: SecretBox, subscriptionId: SubscriptionId): Buffer {
  return secrets.encrypt(generateSecret(), subscriptionSecretContext(subscriptionId));
}

const DEFAULT_GRACE_SECONDS = 86_400;

/**
 * Replaces the current secret and returns the new one. A retry of a request whose process died returns the secret
 * that the first try made: another rotation would end the grace of the secret that receivers still use.
 */
export async function rotateSecret(
  deps: { readonly sql: Sql; readonly secrets: SecretBox },
  ctx: RequestContext,
  subscriptionId: SubscriptionId,
  graceSeconds: number | null | undefined,
): Promise<void> {
  if (ctx.state.boundId === null) {
    const rotated = await rotateSubscriptionSecret(deps.sql, {
      subscriptionId,
      newSecretEncrypted: sealNewSecret(deps.secrets, subscriptionId),
      graceSeconds: graceSeconds ?? DEFAULT_GRACE_SECONDS,
      heldKey: ctx.state.heldKey,
    });
    if (!rotated) throw keyLost();
  }
  const { secret, previousValidUntil } = await revealSecret(deps, subscriptionId);
  ctx.body = { message: 'Success.', data: { secret, previous_valid_until: previousValidUntil } };
}

export interface RevealedSecret {
  readonly secret: string;
  readonly previousValidUntil: Date | null;
}

/**
 * The subscription's current secret, for the one answer that shows it. It is read back, not remembered: a retry of a
 * request whose process died before answering must show it too.
 */
export async function revealSecret(
  { sql, secrets }: { readonly sql: Sql; readonly secrets: SecretBox },
  subscriptionId: SubscriptionId,
): Promise<RevealedSecret> {
  const kept = await findSubscriptionSecret(sql, subscriptionId);
  if (!kept) throw new Error(`subscription ${subscriptionId} has vanished`);
  return {
    secret: secrets.decrypt(kept.secretEncrypted, subscriptionSecretContext(subscriptionId)),
    previousValidUntil: kept.previousValidUntil,
  };
}
