import { Client, Connection } from '@temporalio/client';
import type { Config } from '../config';

/**
 * A client that connects when it is first used: no process needs Temporal to start, or to accept a request.
 * gRPC reconnects by itself from then on.
 */
export function createTemporalClient(
  config: Pick<Config, 'TEMPORAL_ADDRESS' | 'TEMPORAL_NAMESPACE'>,
): Client {
  const connection = Connection.lazy({ address: config.TEMPORAL_ADDRESS });
  return new Client({ connection, namespace: config.TEMPORAL_NAMESPACE });
}
