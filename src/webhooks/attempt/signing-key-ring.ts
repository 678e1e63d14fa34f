import type { ClaimingSubscription } from '../sql/delivery-claims';
import { subscriptionHeadersContext, subscriptionSecretContext } from '../sql/subscriptions';
import type { ReceiverHeaders } from './receiver-headers';
import type { SubscriptionId } from '../../platform/ids';
import type { SecretBox } from '../../platform/crypto/secrets';
import type { SigningSecrets } from '../../platform/crypto/signing';

/** What a subscription signs with, and the headers that it sends. */
export interface OpenedSecrets {
  readonly signing: SigningSecrets;
  /** Headers that its receiver wants with each request. */
  readonly headers: ReceiverHeaders;
}

/** Opens the secrets of a subscription. Throws a `SecretError`. */
export type SigningKeyRing = (subscription: ClaimingSubscription) => OpenedSecrets;

/**
 * For one consumer. The sealed secrets come with every claim, so a rotation takes effect at once; they are opened only
 * when they have changed.
 */
export function createSigningKeyRing(box: SecretBox): SigningKeyRing {
  let sealed: readonly (Buffer | null)[] = [];
  let opened: OpenedSecrets | undefined;

  return ({ subscriptionId, secretEncrypted, earlierSecretsEncrypted, headersEncrypted }) => {
    const earlier = earlierSecretsEncrypted ?? [];
    const now = [secretEncrypted, headersEncrypted, ...earlier];
    const isSameAsBefore =
      now.length === sealed.length &&
      now.every((each, index) => isSame(each, sealed[index] ?? null));
    if (opened && isSameAsBefore) return opened;
    const context = subscriptionSecretContext(subscriptionId);
    const open = (secret: Buffer) => box.decrypt(secret, context);
    opened = {
      signing: [open(secretEncrypted), ...earlier.map(open)],
      headers: headersEncrypted === null ? {} : openHeaders(subscriptionId, headersEncrypted),
    };
    sealed = now;
    return opened;
  };

  function openHeaders(subscriptionId: SubscriptionId, headersEncrypted: Buffer): ReceiverHeaders {
    const context = subscriptionHeadersContext(subscriptionId);
    // Sealed in the form in which they were read from a request.
    return JSON.parse(box.decrypt(headersEncrypted, context)) as ReceiverHeaders;
  }
}

function isSame(one: Buffer | null, other: Buffer | null): boolean {
  return one === null || other === null ? one === other : one.equals(other);
}
