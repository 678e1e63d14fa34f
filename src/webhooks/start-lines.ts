import type { Sql } from '../db/client';
import { assignLines, findSleepingLines } from '../db/webhook-lines';
import type { Log } from '../log';
import type { Nudger } from '../queue/nudger';
import { webhookKind } from '../queue/webhook-kind';

/**
 * What a worker does for the lines when it starts: sees to it that the subscriptions stand in so many of them, while
 * other workers go on, and wakes those that have something to send. A line that lost subscriptions lets what it has out
 * come to its end.
 */
export async function startLines(
  { sql, nudger, log }: { sql: Sql; nudger: Nudger; log: Log },
  shards: number,
): Promise<void> {
  const moved = await assignLines(sql, shards);
  if (moved > 0) log.info({ shards, moved }, 'subscriptions were moved to other lines');
  const lines = await findSleepingLines(sql);
  await Promise.all(lines.map(({ line }) => nudger.nudge(webhookKind, line, false)));
}
