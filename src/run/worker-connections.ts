import type { Client } from '@temporalio/client';
import type { Config } from '../platform/config/config';
import type { Sql } from '../platform/db/client';
import { connectAsConfigured } from '../platform/db/configured';
import type { Log } from '../platform/observe/log';
import { createOutboundClient } from '../platform/outbound/http-client';
import {
  createOwnFaults,
  type OwnFaultKind,
  type OwnFaults,
} from '../platform/outbound/own-faults';
import type { OutboundClient } from '../platform/outbound/types';
import { createTemporalClient, PROMPT_CALL_MS } from '../platform/temporal/connection';
import { MOST_PUSHES_AT_ONCE } from '../uploads/push-permits';
import { USER_AGENT, WORKER_POOL } from './connections';

/** The connections of a worker besides those of its consumer. */
export interface WorkerConnections {
  readonly sql: Sql;
  readonly http: OutboundClient;
  /** Of the whole process: its consumer shares it. */
  readonly ownFaults: OwnFaults;
  readonly temporal: Client;
  /** For calls that somebody waits for. */
  readonly promptTemporal: Client;
}

export function openWorkerConnections(
  config: Config,
  log: Log,
  onFault: (kind: OwnFaultKind) => void,
): WorkerConnections {
  const ownFaults = createOwnFaults({ log, onFault });
  return {
    sql: connectAsConfigured(config, WORKER_POOL),
    http: createOutboundClient({
      allowCidrs: config.OUTBOUND_ALLOW_CIDRS,
      proxy: config.OUTBOUND_PROXY,
      userAgent: USER_AGENT,
      ownFaults,
      // Enough for two integrations of one app with the highest limit of pushes.
      connections: 2 * MOST_PUSHES_AT_ONCE,
    }),
    ownFaults,
    temporal: createTemporalClient(config),
    promptTemporal: createTemporalClient(config, { callTimeoutMs: PROMPT_CALL_MS }),
  };
}
