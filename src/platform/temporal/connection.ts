import { Client, Connection } from '@temporalio/client';
import type { Config } from '../config/config';
import { createGrpcRetries } from './grpc-retries';

export type TemporalSettings = Pick<Config, 'TEMPORAL_ADDRESS' | 'TEMPORAL_NAMESPACE'> &
  Partial<
    Pick<
      Config,
      | 'TEMPORAL_TLS'
      | 'TEMPORAL_TLS_CA'
      | 'TEMPORAL_TLS_CERT'
      | 'TEMPORAL_TLS_KEY'
      | 'TEMPORAL_API_KEY'
    >
  >;

/** How to reach Temporal, in the form that both of the SDK's connections accept. */
export function temporalConnectionOptions(config: TemporalSettings) {
  const {
    TEMPORAL_ADDRESS: address,
    TEMPORAL_TLS_CA: ca,
    TEMPORAL_TLS_CERT: crt,
    TEMPORAL_TLS_KEY: key,
    TEMPORAL_API_KEY: apiKey,
  } = config;
  if (config.TEMPORAL_TLS !== true) return { address, tls: false };
  const tls = {
    ...(ca ? { serverRootCACertificate: ca } : {}),
    ...(crt && key ? { clientCertPair: { crt, key } } : {}),
  };
  return { address, tls, ...(apiKey ? { apiKey } : {}) };
}

/**
 * A client that connects on first use: no process needs Temporal to start or to accept a request. From then on gRPC
 * reconnects by itself. Closing its connection waits for planned retries, a second at most.
 */
export function createTemporalClient(config: TemporalSettings): Client {
  const retries = createGrpcRetries();
  const connection = Connection.lazy({
    ...temporalConnectionOptions(config),
    interceptors: retries.interceptors,
  });
  const close = connection.close.bind(connection);
  connection.close = async () => {
    await retries.end();
    await close();
  };
  return new Client({ connection, namespace: config.TEMPORAL_NAMESPACE });
}
