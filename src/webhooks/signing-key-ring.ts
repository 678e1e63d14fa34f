import type { ClaimingSubscription } from '../db/delivery-claims';
import { subscriptionSecretContext } from '../db/subscriptions';
import type { SecretBox } from '../secrets';
import type { SigningSecrets } from '../signing';

/** Opens the secrets that a subscription signs with at this moment. Throws a `SecretError`. */
export type SigningKeyRing = (subscription: ClaimingSubscription) => SigningSecrets;

/**
 * For one drain. The sealed secrets come with every claim, so a rotation is in force at once; they are opened only
 * when they are not the ones of last time.
 */
export function createSigningKeyRing(box: SecretBox): SigningKeyRing {
  let sealed: readonly (Buffer | null)[] = [];
  let opened: SigningSecrets | undefined;

  return ({ subscriptionId, secretEncrypted, previousSecretEncrypted }) => {
    const now = [secretEncrypted, previousSecretEncrypted];
    if (opened && now.every((each, index) => isSame(each, sealed[index] ?? null))) return opened;
    const context = subscriptionSecretContext(subscriptionId);
    const newest = box.decrypt(secretEncrypted, context);
    opened =
      previousSecretEncrypted === null
        ? [newest]
        : [newest, box.decrypt(previousSecretEncrypted, context)];
    sealed = now;
    return opened;
  };
}

function isSame(one: Buffer | null, other: Buffer | null): boolean {
  return one === null || other === null ? one === other : one.equals(other);
}
