import { performance } from 'node:perf_hooks';
import type { Dispatcher } from 'undici';
import { isBodiless, mayHaveStrayBytes } from './bodiless-answers';
import type { Connection } from './connection';
import { classifyFailure } from './failures';
import type { Failure } from './failures';
import { troubleOf } from './failure-reasons';
import type { OriginPool } from './origin-pool';
import type { OwnFaultKind } from './own-faults';
import type { OutboundRequest, OutboundResult, OutboundTrouble } from './types';
import { endedBy } from './until-aborted';

/** A request that passed its checks, in the form in which it is sent. */
export interface PreparedRequest {
  readonly request: OutboundRequest;
  /** Path and query. */
  readonly path: string;
  /** Host and port: the only part of the URL that may be shown. */
  readonly host: string;
  /** Names and values alternating. */
  readonly headers: string[];
  /** See `OwnFaults.judge`. */
  readonly ownFaultOf: (failure: Failure) => OwnFaultKind | null;
}

export const DEFAULT_MAX_RESPONSE_BYTES = 1_048_576;

// `stopWhen` is asked again when the answer has grown by a quarter, or after this time, ms: the peer may be waiting.
const STOP_CHECK_GROWTH = 1.25;
const STOP_CHECK_DELAY_MS = 100;

const NO_BYTES = Buffer.alloc(0);

const ABORTED: Failure = { code: 'aborted', detail: '' };

/** An answer whose status decides everything has ended when nothing of it came for so long. */
const QUIET_MS = 1_000;

/** The state of one request from the wait for a connection to its outcome. */
interface Exchange {
  readonly prepared: PreparedRequest;
  readonly pool: OriginPool;
  readonly resolve: (result: OutboundResult) => void;
  readonly startedAt: number;
  readonly limit: number;
  readonly borrower: (connection: Connection) => void;
  /** Called when the signal of the request fires. */
  readonly giveUp: () => void;
  timer: NodeJS.Timeout | undefined;
  connection: Connection | undefined;
  settled: boolean;
  sent: 'none' | 'some';
  /** Set as soon as the status line was read. */
  status: number | undefined;
  /** Set where the status alone decides. */
  quiet: NodeJS.Timeout | undefined;
  /** What the socket had read when `quiet` began. */
  bytesRead: number;
  hasHead: boolean;
  headers: Record<string, string>;
  /** Grows by doubling; the first `length` bytes are the answer. */
  buffer: Buffer;
  length: number;
  /** How long the answer was when `stopWhen` was last asked. */
  checkedLength: number;
  /** Set while `stopWhen` is about to be asked. */
  stopCheck: NodeJS.Timeout | 'at once' | undefined;
}

/**
 * Sends one request over a connection of the pool and reads its answer; always settles by its deadlines. There are no
 * retries: only the caller knows whether a second copy of the request is harmless.
 */
export function runExchange(prepared: PreparedRequest, pool: OriginPool): Promise<OutboundResult> {
  return new Promise((resolve) => {
    const { request } = prepared;
    const exchange: Exchange = {
      prepared,
      pool,
      resolve,
      startedAt: performance.now(),
      limit: request.maxResponseBytes ?? DEFAULT_MAX_RESPONSE_BYTES,
      borrower: (connection) => begin(exchange, connection),
      giveUp: () => fail(exchange, ABORTED),
      timer: undefined,
      connection: undefined,
      settled: false,
      sent: 'none',
      status: undefined,
      quiet: undefined,
      bytesRead: 0,
      hasHead: false,
      headers: {},
      buffer: NO_BYTES,
      length: 0,
      checkedLength: 0,
      stopCheck: undefined,
    };
    // A plain timer costs 0.3 µs, AbortSignal.timeout 12 µs, which matters at thousands of requests a second.
    exchange.timer = setTimeout(expire, request.timeoutMs, exchange);
    if (request.signal?.aborted) return fail(exchange, ABORTED);
    if (request.signal) endedBy(request.signal).add(exchange.giveUp);
    pool.acquire(exchange.borrower);
  });
}

function begin(exchange: Exchange, connection: Connection): void {
  exchange.connection = connection;
  const { request, path, headers } = exchange.prepared;
  connection.expectAnswer((status) => readStatus(exchange, status));
  connection.client.dispatch(
    { method: request.method, path, headers, body: request.body ?? null },
    handlerFor(exchange),
  );
}

/** From here on there is an answer, whatever becomes of the rest. */
function readStatus(exchange: Exchange, status: number): void {
  if (exchange.settled) return;
  exchange.status = status;
  if (!exchange.prepared.request.statusDecides?.(status)) return;
  exchange.bytesRead = exchange.connection?.socket()?.bytesRead ?? 0;
  exchange.quiet = setTimeout(endIfQuiet, QUIET_MS, exchange);
}

function endIfQuiet(exchange: Exchange): void {
  const bytesRead = exchange.connection?.socket()?.bytesRead ?? 0;
  if (bytesRead === exchange.bytesRead) return fail(exchange, { code: 'timeout', detail: 'quiet' });
  exchange.bytesRead = bytesRead;
  exchange.quiet?.refresh();
}

function handlerFor(exchange: Exchange): Dispatcher.DispatchHandler {
  return {
    // Called right before the first write. From here on it cannot be proved that no byte arrived, not even by a reset
    // without an answer: the peer may have read the request before closing.
    onRequestStart(controller) {
      const isForbidden = exchange.prepared.request.maySend?.() === false;
      if (isForbidden && exchange.sent === 'none') fail(exchange, ABORTED);
      // A second start means that undici is sending the request again by itself.
      if (exchange.settled || exchange.sent === 'some')
        return controller.abort(new Error('not to be sent'));
      exchange.sent = 'some';
      const { onSent, answerTimeoutMs } = exchange.prepared.request;
      if (onSent || answerTimeoutMs !== undefined) queueMicrotask(() => reportSent(exchange));
    },
    onResponseStart(_controller, status, headers) {
      // One more than the connection skips.
      if (status < 200)
        return fail(exchange, { code: 'invalid_response', detail: 'interim answers' });
      exchange.status = status;
      exchange.hasHead = true;
      for (const [name, value] of Object.entries(headers)) {
        if (value !== undefined)
          exchange.headers[name] = Array.isArray(value) ? value.join(', ') : value;
      }
    },
    onResponseData(_controller, chunk) {
      if (!exchange.settled) receive(exchange, chunk);
    },
    onResponseEnd() {
      answer(exchange, {});
    },
    onResponseError(_controller, error) {
      fail(exchange, classifyFailure(error));
    },
  };
}

// Runs after undici's synchronous write. Bytes that the kernel has not taken yet (a large body, a receiver that does
// not read) are still in the socket's queue; the callback of an empty write fires when they are gone.
function reportSent(exchange: Exchange): void {
  const socket = exchange.connection?.socket();
  const report = (error?: Error | null) => {
    if (error || exchange.settled) return;
    const { onSent, answerTimeoutMs } = exchange.prepared.request;
    if (answerTimeoutMs !== undefined) {
      clearTimeout(exchange.timer);
      exchange.timer = setTimeout(expire, answerTimeoutMs, exchange);
    }
    onSent?.();
  };
  if (socket === undefined || socket.destroyed) return;
  if (socket.writableLength === 0) report();
  else socket.write(NO_BYTES, report);
}

function receive(exchange: Exchange, chunk: Buffer): void {
  const room = exchange.limit - exchange.length;
  append(exchange, chunk.length > room ? chunk.subarray(0, room) : chunk);
  if (chunk.length > room) return answer(exchange, { truncated: true });
  if (exchange.prepared.request.stopWhen) planStopCheck(exchange);
}

/**
 * `stopWhen` reads the whole answer so far: asked at every chunk, it would take time quadratic in the answer. At once
 * means once per read of the socket.
 */
function planStopCheck(exchange: Exchange): void {
  if (exchange.stopCheck === 'at once') return;
  if (exchange.length < exchange.checkedLength * STOP_CHECK_GROWTH) {
    exchange.stopCheck ??= setTimeout(checkStop, STOP_CHECK_DELAY_MS, exchange);
    return;
  }
  clearTimeout(exchange.stopCheck);
  exchange.stopCheck = 'at once';
  queueMicrotask(() => checkStop(exchange));
}

function checkStop(exchange: Exchange): void {
  exchange.stopCheck = undefined;
  if (exchange.settled || exchange.status === undefined) return;
  exchange.checkedLength = exchange.length;
  const head = exchange.buffer.subarray(0, exchange.length);
  const { status, headers } = exchange;
  if (exchange.prepared.request.stopWhen?.(head, { status, headers }))
    answer(exchange, { truncated: true });
}

// One growing buffer instead of a list: a body in chunks of one byte would need an object of 100 bytes for each.
function append(exchange: Exchange, chunk: Buffer): void {
  const needed = exchange.length + chunk.length;
  if (needed > exchange.buffer.length) {
    const grown = Buffer.allocUnsafe(
      Math.min(Math.max(needed, exchange.buffer.length * 2), exchange.limit),
    );
    exchange.buffer.copy(grown, 0, 0, exchange.length);
    exchange.buffer = grown;
  }
  chunk.copy(exchange.buffer, exchange.length);
  exchange.length = needed;
}

/** How an answer ended: whole, or without its rest. */
interface End {
  readonly truncated?: boolean;
  readonly broken?: OutboundTrouble;
  /** Whether the connection may be used again after a whole answer. */
  readonly reusable?: boolean;
}

function answer(exchange: Exchange, end: End): void {
  const { settled, status, headers } = exchange;
  if (settled || status === undefined) return;
  const { broken, truncated = broken !== undefined, reusable = !truncated } = end;
  settle(exchange, reusable && !mayHaveStrayBytes({ status, headers }), {
    kind: 'response',
    status,
    headers,
    body: exchange.buffer.subarray(0, exchange.length),
    truncated,
    ...(broken && { broken }),
    durationMs: performance.now() - exchange.startedAt,
  });
}

function expire(exchange: Exchange): void {
  fail(exchange, deadlineFailure(exchange));
}

function deadlineFailure({ sent, connection }: Exchange): Failure {
  if (sent === 'some' || connection === undefined) return { code: 'timeout', detail: '' };
  const stage = connection.stage();
  switch (stage) {
    case 'at_proxy':
      return { code: 'connect_timeout', detail: 'proxy ETIMEDOUT' };
    case 'resolving':
      return { code: 'dns_failed', detail: 'ETIMEOUT' };
    case 'connecting':
    case 'securing':
      return { code: 'connect_timeout', detail: stage };
    case 'ready':
      return { code: 'timeout', detail: '' };
    default:
      return stage satisfies never;
  }
}

/** Ends the exchange with the answer, if its status is known, and else without one. */
function fail(exchange: Exchange, failure: Failure): void {
  if (exchange.settled) return;
  const { status, hasHead, sent, prepared } = exchange;
  if (status !== undefined && hasHead && isBodiless(status)) {
    return answer(exchange, { reusable: false });
  }
  const trouble = troubleOf(failure, prepared.host);
  if (status !== undefined) return answer(exchange, { broken: trouble });
  const ours = sent === 'none' ? prepared.ownFaultOf(failure) : null;
  settle(exchange, false, {
    kind: 'failed',
    ...trouble,
    sent,
    ...(ours === null ? {} : { ours }),
    durationMs: performance.now() - exchange.startedAt,
  });
}

function settle(exchange: Exchange, reusable: boolean, result: OutboundResult): void {
  exchange.settled = true;
  clearTimeout(exchange.timer);
  clearTimeout(exchange.quiet);
  if (exchange.stopCheck !== 'at once') clearTimeout(exchange.stopCheck);
  const { signal } = exchange.prepared.request;
  if (signal) endedBy(signal).delete(exchange.giveUp);
  if (exchange.connection) exchange.pool.release(exchange.connection, reusable);
  else exchange.pool.withdraw(exchange.borrower);
  exchange.resolve(result);
}
