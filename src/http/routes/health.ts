import Router from '@koa/router';
import type { Sql } from '../../db/client';
import { checkSchema } from '../../db/migrate';
import { findOldestDueMs } from '../../db/queue-age';
import type { Reachability } from '../../temporal/reachability';
import type { RequestState } from '../state';

export interface HealthDeps {
  readonly sql: Sql;
  readonly temporal: Reachability;
  /** True from the first moment of a shutdown. */
  readonly isStopping: () => boolean;
}

/**
 * `live`: the process runs. `ready`: it can accept requests, for which Postgres is enough: an accepted request is a
 * committed row. Temporal and the age of the oldest due row are reported and take nobody out.
 */
export function healthRoutes({ sql, temporal, isStopping }: HealthDeps): Router<RequestState> {
  const router = new Router<RequestState>({ prefix: '/health' });

  router.get('/live', (ctx) => {
    ctx.body = { status: 'ok' };
  });

  router.get('/ready', async (ctx) => {
    const postgres = await postgresState(sql);
    const stopping = isStopping();
    const ready = postgres === 'ok' && !stopping;
    ctx.status = ready ? 200 : 503;
    ctx.body = {
      status: ready ? 'ok' : 'unavailable',
      postgres,
      stopping,
      temporal: temporal.isReachable() ? 'ok' : 'unreachable',
      oldest_due_seconds:
        postgres === 'ok' ? Math.round((await findOldestDueMs(sql).catch(() => 0)) / 1000) : null,
    };
  });

  return router;
}

async function postgresState(sql: Sql): Promise<'ok' | 'unreachable' | 'schema_behind'> {
  try {
    return (await checkSchema(sql)) === 'ok' ? 'ok' : 'schema_behind';
  } catch {
    return 'unreachable';
  }
}
