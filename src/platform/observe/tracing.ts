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
 * Spans by the OpenTelemetry API, which does nothing until `startTracing` installs an SDK. Later work is done for a
 * row rather than a request, so its trace continues from the `traceparent` in the row.
 */

export interface SpanOptions {
  readonly kind?: 'server' | 'client' | 'internal';
  /** The `traceparent` to continue; null: starts a new trace. Undefined: the current span. */
  readonly parent?: string | null;
  readonly attributes?: Attributes;
}

const KINDS = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  internal: SpanKind.INTERNAL,
} as const;

/** Runs `work` in a span, which ends with it; an exception is recorded in the span and rethrown. */
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
      // Not its message, which may quote others.
      span.setStatus({ code: SpanStatusCode.ERROR });
      span.setAttribute('error.type', error instanceof Error ? error.name : 'unknown');
      throw error;
    } finally {
      span.end();
    }
  });
}

/** The same for a row: without a `traceparent` nothing is traced. */
export function inSpanOf<T>(
  traceParent: string | null,
  name: string,
  attributes: Attributes,
  work: () => Promise<T>,
): Promise<T> {
  return traceParent === null ? work() : inSpan(name, { parent: traceParent, attributes }, work);
}

/** The `traceparent` of the current span, to store in a row or send with a request; null without a span. */
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
