import type { SubscriptionId } from '../../platform/ids';
import type { Sql } from '../../platform/db/client';

/** The line that serves a subscription; undefined if there is no such subscription. */
export async function findLine(
  sql: Sql,
  subscriptionId: SubscriptionId,
): Promise<number | undefined> {
  const [row] = await sql<{ line: number }[]>`
    select line from subscription where subscription_id = ${subscriptionId}`;
  return row?.line;
}
