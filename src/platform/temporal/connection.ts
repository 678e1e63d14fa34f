import { Client, Connection, type ConnectionOptions } from '@temporalio/client';
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

/** For calls with a waiting caller: longer than a healthy Temporal ever takes. */
export const PROMPT_CALL_MS = 2_000;

/**
 * A client that connects on first use: no process needs Temporal to start or to accept a request. From then on gRPC
 * reconnects by itself. Closing its connection waits for planned retries, a second at most. `callTimeoutMs` ends each
 * call, with all its tries.
 */
export function createTemporalClient(
  config: TemporalSettings,
  { callTimeoutMs }: { readonly callTimeoutMs?: number } = {},
): Client {
  const retries = createGrpcRetries();
  const limits = callTimeoutMs === undefined ? [] : [endCallsAfter(callTimeoutMs)];
  const metadata = { [NAMESPACE_HEADER]: config.TEMPORAL_NAMESPACE };
  const connection = Connection.lazy({
    ...temporalConnectionOptions(config),
    metadata,
    interceptors: [...limits, ...retries.interceptors],
  });
  sendMetadataOnce(connection, metadata);
  const close = connection.close.bind(connection);
  connection.close = async () => {
    await retries.end();
    await close();
  };
  return new Client({ connection, namespace: config.TEMPORAL_NAMESPACE });
}

type Interceptor = NonNullable<ConnectionOptions['interceptors']>[number];

/** With it a proxy in front of Temporal finds the namespace of a call. */
const NAMESPACE_HEADER = 'temporal-namespace';

/**
 * Metadata that every call of the connection carries is not added to single calls as well, as the SDK does with the
 * namespace: it keeps what it adds in an AsyncLocalStorage. From its first use on, Node before 24 calls hooks for every
 * promise of the process, which is a tenth of what the API allocates for an event.
 */
function sendMetadataOnce(
  connection: Connection,
  metadata: Readonly<Record<string, string>>,
): void {
  const withMetadata = connection.withMetadata.bind(connection);
  connection.withMetadata = (added, call) =>
    Object.entries(added).every(([name, value]) => metadata[name] === value)
      ? call()
      : withMetadata(added, call);
}

/** The SDK's own `withDeadline` would use an AsyncLocalStorage, see `sendMetadataOnce`. */
function endCallsAfter(ms: number): Interceptor {
  // The types ask for a class of gRPC around the call; its own code takes the call as it is.
  return (options, nextCall) =>
    nextCall({ ...options, deadline: Date.now() + ms }) as ReturnType<Interceptor>;
}
