import { randomUUID } from 'node:crypto';
import type { Sql } from '../platform/db/client';
import { subscriptionSecretContext } from './sql/subscriptions';
import {
  findCurrentSecret,
  findRotatedSecret,
  listSecretEnds,
  rotateSubscriptionSecret,
} from './sql/subscription-secrets';
import type { SubscriptionId } from '../platform/ids';
import type { SecretBox } from '../platform/crypto/secrets';
import { generateSecret } from '../platform/crypto/signing';
import { keyLost } from '../http/idempotency-key-lost';
import type { RequestContext } from '../http/state';

interface SecretDeps {
  readonly sql: Sql;
  readonly secrets: SecretBox;
}

/** A fresh signing secret, sealed for its subscription. */
export function sealNewSecret(secrets: SecretBox, subscriptionId: SubscriptionId): Buffer {
  return secrets.encrypt(generateSecret(), subscriptionSecretContext(subscriptionId));
}

const DEFAULT_GRACE_SECONDS = 86_400;

/**
 * Replaces the current secret and answers with the new one and the ends of the earlier ones that still sign. Each call
 * answers its own secret, whatever other calls do at the same time. A retry of a request whose process died answers the
 * secret that the first try made.
 */
export async function rotateSecret(
  deps: SecretDeps,
  ctx: RequestContext,
  subscriptionId: SubscriptionId,
  graceSeconds: number | null | undefined,
): Promise<void> {
  const { boundId, heldKey } = ctx.state;
  const made = boundId ? await findRotatedSecret(deps.sql, subscriptionId, boundId) : undefined;
  const sealed = made ?? sealNewSecret(deps.secrets, subscriptionId);
  if (!made) {
    const rotated = await rotateSubscriptionSecret(deps.sql, {
      subscriptionId,
      secretId: randomUUID(),
      newSecretEncrypted: sealed,
      graceSeconds: graceSeconds ?? DEFAULT_GRACE_SECONDS,
      // A key that is bound to a secret that has ended meanwhile cannot be bound again.
      heldKey: boundId === null ? heldKey : null,
    });
    if (!rotated) throw keyLost();
  }
  const ends = await listSecretEnds(deps.sql, subscriptionId);
  ctx.body = {
    message: 'Success.',
    data: {
      secret: open(deps, subscriptionId, sealed),
      previous_valid_until: ends[0] ?? null,
      previous: ends.map((end) => ({ valid_until: end })),
    },
  };
}

/**
 * The subscription's current secret, for the one answer that shows it. It is read back, not remembered: a retry of a
 * request whose process died before answering must show it too.
 */
export async function revealSecret(
  deps: SecretDeps,
  subscriptionId: SubscriptionId,
): Promise<string> {
  const sealed = await findCurrentSecret(deps.sql, subscriptionId);
  if (!sealed) throw new Error(`subscription ${subscriptionId} has vanished`);
  return open(deps, subscriptionId, sealed);
}

function open({ secrets }: SecretDeps, subscriptionId: SubscriptionId, sealed: Buffer): string {
  return secrets.decrypt(sealed, subscriptionSecretContext(subscriptionId));
}
