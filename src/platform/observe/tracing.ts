import {
  type Attributes,
  context,
  isSpanContextValid,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';

/*
 * Spans by the OpenTelemetry API, which does nothing until `startTracing` has put an SDK behind it. What happens later is
 * done for a row and not for a request, so its trace goes on from the `traceparent` in the row.
 */

export interface SpanOptions {
  readonly kind?: 'server' | 'client' | 'internal';
  /** The `traceparent` that it goes on from; null: it begins a trace. Undefined: the span that is under way. */
  readonly parent?: string | null;
  readonly attributes?: Attributes;
}

const KINDS = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  internal: SpanKind.INTERNAL,
} as const;

/** Runs `work` in a span, which ends with it; what it throws is told by the span and thrown on. */
export async function inSpan<T>(
  name: string,
  { kind = 'internal', parent, attributes = {} }: SpanOptions,
  work: (span: Span) => Promise<T>,
): Promise<T> {
  const around = parent === undefined ? context.active() : contextOf(parent);
  const tracer = trace.getTracer('pos-integrations');
  return tracer.startActiveSpan(name, { kind: KINDS[kind], attributes }, around, async (span) => {
    try {
      return await work(span);
    } catch (error) {
      // Not its words, which may quote what others said.
      span.setStatus({ code: SpanStatusCode.ERROR });
      span.setAttribute('error.type', error instanceof Error ? error.name : 'unknown');
      throw error;
    } finally {
      span.end();
    }
  });
}

/** The same for a row: without a `traceparent` in it nothing is traced. */
export function inSpanOf<T>(
  traceParent: string | null,
  name: string,
  attributes: Attributes,
  work: () => Promise<T>,
): Promise<T> {
  return traceParent === null ? work() : inSpan(name, { parent: traceParent, attributes }, work);
}

/** The `traceparent` of the span that is under way, for a row or a request that goes on from it; null without one. */
export function currentTraceParent(): string | null {
  const span = trace.getActiveSpan();
  if (span === undefined || !isSpanContextValid(span.spanContext())) return null;
  const carrier: Record<string, string> = {};
  propagation.inject(context.active(), carrier);
  return carrier['traceparent'] ?? null;
}

function contextOf(traceParent: string | null) {
  return traceParent === null
    ? ROOT_CONTEXT
    : propagation.extract(ROOT_CONTEXT, { traceparent: traceParent });
}
