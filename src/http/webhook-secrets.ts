import type { Sql } from '../db/client';
import { findSubscriptionSecret, subscriptionSecretContext } from '../db/subscriptions';
import type { SubscriptionId } from '../ids';
import type { SecretBox } from '../secrets';
import { generateSecret } from '../signing';

/** A fresh signing secret, sealed for its subscription. */
export function sealNewSecret(secrets: SecretBox, subscriptionId: SubscriptionId): Buffer {
  return secrets.encrypt(generateSecret(), subscriptionSecretContext(subscriptionId));
}

export interface RevealedSecret {
  readonly secret: string;
  readonly previousValidUntil: Date | null;
}

/**
 * The subscription's present secret, for the one answer that shows it. Read back and not remembered: a retry of a
 * request whose process died before it could answer has to show it too.
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
