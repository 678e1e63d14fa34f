import { atMostEvery } from '../../platform/at-most-every';
import type { Sql } from '../../platform/db/client';
import { type DatabaseClock, skewSeconds } from '../../platform/db/database-clock';
import { checkSchema } from '../../platform/db/migrate';
import { findOldestDueMs } from '../queue-age';
import type { OutageLog } from '../../platform/observe/outage-log';
import { ref } from '../../contract/answer-schemas';
import { record } from '../../contract/answers';
import type { Reachability } from '../../platform/temporal/reachability';
import { noBody } from '../../http/body/request-body';
import { noQuery, PUBLIC, route } from '../../http/route';

export interface HealthDeps {
  /** See `createPostgresLook`. */
  readonly lookAtPostgres: () => Promise<PostgresLook>;
  readonly temporal: Reachability;
  readonly clock: Pick<DatabaseClock, 'skewMs'>;
  /** Fires at the first moment of a shutdown. */
  readonly stopping: AbortSignal;
  /** Informed of each probe. */
  readonly readiness: OutageLog;
}

const READY = {
  status: 'ok',
  postgres: 'ok',
  stopping: false,
  temporal: 'ok',
  oldest_due_seconds: 0,
  clock_skew_seconds: 0,
};

const NOT_READY = {
  ...READY,
  status: 'unavailable',
  postgres: 'unreachable',
  oldest_due_seconds: null,
};

/** Also on METRICS_PORT, the only port of a worker. */
export const LIVE_ROUTE = route({
  id: 'live',
  method: 'get',
  path: '/health/live',
  parameters: {},
  group: 'Service',
  summary: 'Check that the process runs',
  access: PUBLIC,
  idempotency: 'none',
  query: noQuery,
  body: noBody,
  answers: [
    {
      status: 200,
      schema: record({ status: { const: 'ok' } }),
      examples: { ok: { status: 'ok' } },
    },
  ],
  handle(_deps: object, { ctx }) {
    ctx.state.isReportedElsewhere = true;
    ctx.body = { status: 'ok' };
  },
});

/**
 * `live`: the process runs. `ready`: it can accept requests, for which Postgres is enough, because an accepted
 * request is a committed row. Temporal and the age of the oldest due row are reported but do not affect readiness.
 */
export const HEALTH_ROUTES = [
  LIVE_ROUTE,
  route({
    id: 'ready',
    method: 'get',
    path: '/health/ready',
    parameters: {},
    group: 'Service',
    summary: 'Check that requests can be accepted',
    description:
      'Depends on Postgres. Temporal and the age of the oldest due row are reported but do not affect readiness.',
    access: PUBLIC,
    idempotency: 'none',
    query: noQuery,
    body: noBody,
    answers: [
      { status: 200, schema: ref('Readiness'), examples: { ok: READY } },
      { status: 503, schema: ref('Readiness'), examples: { unavailable: NOT_READY } },
    ],
    async handle({ lookAtPostgres, temporal, clock, readiness, ...deps }: HealthDeps, { ctx }) {
      ctx.state.isReportedElsewhere = true;
      const { postgres, oldestDueMs } = await lookAtPostgres();
      const stopping = deps.stopping.aborted;
      const ready = postgres === 'ok' && !stopping;
      if (ready || stopping) readiness.over();
      else readiness.failed(new Error(`Postgres: ${postgres}`));
      ctx.status = ready ? 200 : 503;
      ctx.body = {
        status: ready ? 'ok' : 'unavailable',
        postgres,
        stopping,
        temporal: temporal.isReachable() ? 'ok' : 'unreachable',
        oldest_due_seconds: oldestDueMs === null ? null : Math.round(oldestDueMs / 1000),
        clock_skew_seconds: skewSeconds(clock),
      };
    },
  }),
];

interface PostgresLook {
  readonly postgres: PostgresState;
  /** How long the oldest row that could be worked on has been waiting; null unless Postgres is `ok`. */
  readonly oldestDueMs: number | null;
}

/**
 * What readiness depends on. The probes of a moment share one look: anyone may send them, in any number, and each would
 * take a connection of the pool.
 */
export function createPostgresLook(sql: Sql): () => Promise<PostgresLook> {
  return atMostEvery(0, async () => {
    const postgres = await postgresState(sql);
    const oldestDueMs = postgres === 'ok' ? await findOldestDueMs(sql).catch(() => 0) : null;
    return { postgres, oldestDueMs };
  });
}

type PostgresState = 'ok' | 'unreachable' | 'read_only' | 'schema_behind';

async function postgresState(sql: Sql): Promise<PostgresState> {
  try {
    if (!(await takesWrites(sql))) return 'read_only';
    return (await checkSchema(sql)) === 'ok' ? 'ok' : 'schema_behind';
  } catch {
    return 'unreachable';
  }
}

/** Whether rows can be written: not on a standby, a recovering server, or one that was made read-only. */
async function takesWrites(sql: Sql): Promise<boolean> {
  const [row] = await sql<{ takesWrites: boolean }[]>`
    select current_setting('transaction_read_only') = 'off' as takes_writes`;
  return row?.takesWrites === true;
}
