import { bindHeldKey, type HeldKey } from '../../http/sql/idempotency';
import type { Sql, Transaction } from '../../platform/db/client';
import type { SubscriptionId } from '../../platform/ids';

/** Earlier secrets that may sign beside the newest: with a fifth, the oldest ends. */
const MOST_EARLIER = 4;

/** The current secret of a webhook; undefined if there is no such webhook. */
export async function findCurrentSecret(
  sql: Sql,
  subscriptionId: SubscriptionId,
): Promise<Buffer | undefined> {
  const [row] = await sql<{ secretEncrypted: Buffer }[]>`
    select secret_encrypted from subscription where subscription_id = ${subscriptionId}`;
  return row?.secretEncrypted;
}

/** The secret that a rotation made, current or earlier; undefined if it does not sign any more. */
export async function findRotatedSecret(
  sql: Sql,
  subscriptionId: SubscriptionId,
  secretId: string,
): Promise<Buffer | undefined> {
  const [row] = await sql<{ secretEncrypted: Buffer }[]>`
    select secret_encrypted from subscription
    where subscription_id = ${subscriptionId} and secret_id = ${secretId}
    union all
    select secret_encrypted from earlier_secret
    where subscription_id = ${subscriptionId} and secret_id = ${secretId} and valid_until > now()`;
  return row?.secretEncrypted;
}

/** The ends of the earlier secrets that still sign, that of the newest first. */
export async function listSecretEnds(
  sql: Sql,
  subscriptionId: SubscriptionId,
): Promise<readonly Date[]> {
  const rows = await sql<{ validUntil: Date }[]>`
    select valid_until from earlier_secret
    where subscription_id = ${subscriptionId} and valid_until > now()
    order by replaced_at desc`;
  return rows.map(({ validUntil }) => validUntil);
}

export interface Rotation {
  readonly subscriptionId: SubscriptionId;
  readonly secretId: string;
  readonly newSecretEncrypted: Buffer;
  /** How long the current secret goes on signing; 0: it and all earlier ones end now. */
  readonly graceSeconds: number;
  readonly heldKey: HeldKey | null;
}

/** Replaces the current secret; rotations at the same time take turns. False = the idempotency key was lost. */
export async function rotateSubscriptionSecret(sql: Sql, rotation: Rotation): Promise<boolean> {
  const { subscriptionId, secretId, newSecretEncrypted, graceSeconds, heldKey } = rotation;
  return sql.begin(async (tx) => {
    await tx`select from subscription where subscription_id = ${subscriptionId} for no key update`;
    if ((await bindHeldKey(tx, heldKey, secretId)).length === 0) return false;
    await (graceSeconds === 0
      ? endEarlierSecrets(tx, subscriptionId)
      : keepCurrentSecret(tx, subscriptionId, graceSeconds));
    await tx`
      update subscription s set secret_encrypted = ${newSecretEncrypted}::bytea, secret_id = ${secretId},
        previous_valid_until = (
          select max(valid_until) from earlier_secret where subscription_id = ${subscriptionId})
      where s.subscription_id = ${subscriptionId}`;
    return true;
  });
}

/** Ends all secrets of a webhook but the current one. */
export async function endEarlierSecrets(
  tx: Transaction,
  subscriptionId: SubscriptionId,
): Promise<void> {
  await tx`delete from earlier_secret where subscription_id = ${subscriptionId}`;
}

async function keepCurrentSecret(
  tx: Transaction,
  subscriptionId: SubscriptionId,
  graceSeconds: number,
): Promise<void> {
  await tx`
    delete from earlier_secret where subscription_id = ${subscriptionId} and (
      valid_until <= now() or secret_id not in (
        select secret_id from earlier_secret where subscription_id = ${subscriptionId}
        order by replaced_at desc limit ${MOST_EARLIER - 1}))`;
  await tx`
    insert into earlier_secret (subscription_id, secret_id, secret_encrypted, valid_until)
    select subscription_id, secret_id, secret_encrypted, now() + ${graceSeconds}::int * interval '1 s'
    from subscription where subscription_id = ${subscriptionId}`;
}
