import type { Sql } from '../src/platform/db/client';
import type { ShardReport } from '../src/webhooks/shard-report';
import { announceShard } from '../src/webhooks/sql/announcements';
import { surveyShard } from '../src/webhooks/sql/webhook-shards';

export interface WebhookActivityDeps {
  readonly sql: Sql;
}

/** All activities of `webhookShard`. */
export function createWebhookActivities({ sql }: WebhookActivityDeps) {
  return {
    /** Looks what waits in a shard, and tells its worker if something is due. */
    async attendShard(shard: number): Promise<ShardReport> {
      const report = await surveyShard(sql, shard);
      const { dueMs } = report;
      if (dueMs !== null && dueMs <= 0) await announceShard(sql, shard);
      return report;
    },
  };
}

export type WebhookActivities = ReturnType<typeof createWebhookActivities>;
