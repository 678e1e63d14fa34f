import type { Sql } from '../db/client';
import { assignLines } from '../db/webhook-lines';
import type { Log } from '../log';
import type { Nudger } from '../queue/nudger';
import { webhookKind } from '../queue/webhook-kind';

/**
 * Sees to it that the subscriptions stand in so many lines, while other workers go on: lines that got some are told,
 * and a line that lost some lets what it has out come to its end.
 */
export async function spreadLines(
  { sql, nudger, log }: { sql: Sql; nudger: Nudger; log: Log },
  shards: number,
): Promise<void> {
  const lines = await assignLines(sql, shards);
  if (lines.length === 0) return;
  log.info({ shards, lines: lines.length }, 'subscriptions were moved to other lines');
  await Promise.all(lines.map((line) => nudger.nudge(webhookKind, line, false)));
}
