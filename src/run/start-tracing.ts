import type { Config } from '../platform/config/config';

export interface Tracing {
  /** Sends the remaining spans. */
  stop(): Promise<void>;
}

const NONE: Tracing = { stop: async () => {} };
/** A collector that does not answer must not delay the end of a process. */
const STOP_WITHIN_MS = 2_000;
let started = false;

/**
 * Sends spans to the collector at OTEL_EXPORTER_OTLP_ENDPOINT; without it, the SDK is not even loaded. API and worker
 * in one process share it. The SDK reads its other `OTEL_…` variables itself.
 */
export async function startTracing(
  { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }: Pick<Config, 'OTEL_EXPORTER_OTLP_ENDPOINT'>,
  role: 'api' | 'worker',
): Promise<Tracing> {
  if (endpoint === null || started) return NONE;
  started = true;
  const [sdk, { OTLPTraceExporter }, { resourceFromAttributes }] = await Promise.all([
    import('@opentelemetry/sdk-trace-node'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
  ]);
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces` });
  const provider = new sdk.NodeTracerProvider({
    resource: resourceFromAttributes({
      'service.name': 'pos-integrations',
      'service.instance.id': `${role}-${process.pid}`,
    }),
    spanProcessors: [new sdk.BatchSpanProcessor(exporter)],
  });
  provider.register();
  return {
    async stop() {
      const late = new Promise<void>((resolve) => {
        setTimeout(resolve, STOP_WITHIN_MS).unref();
      });
      // What cannot be sent is lost, which is acceptable for traces.
      await Promise.race([provider.shutdown().catch(() => {}), late]);
    },
  };
}
