import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type ConnectionOptions,
  defaultGrpcRetryOptions,
  makeGrpcRetryInterceptor,
} from '@temporalio/client';

/** The retries of calls to Temporal on one connection. */
export interface GrpcRetries {
  readonly interceptors: NonNullable<ConnectionOptions['interceptors']>;
  /** Starts no further retry; resolves when none is planned. */
  end(): Promise<void>;
}

/** The SDK plans up to 5 s ahead, and a stop would wait that long. */
const LONGEST_PAUSE_MS = 1_000;
/** A timer may be a little late. */
const MARGIN_MS = 50;

/**
 * The SDK's own retries, but they can be ended. The SDK plans the next try by a timer that cannot be cancelled: if it
 * fires after the connection was closed, it throws where nothing catches, and the process crashes during its orderly
 * stop.
 */
export function createGrpcRetries(): GrpcRetries {
  const options = defaultGrpcRetryOptions();
  let ended = false;
  let plannedUntil = 0;
  const retry = makeGrpcRetryInterceptor({
    retryableDecider: (attempt, status) => !ended && options.retryableDecider(attempt, status),
    delayFunction(attempt, status) {
      const pauseMs = Math.min(options.delayFunction(attempt, status), LONGEST_PAUSE_MS);
      plannedUntil = Math.max(plannedUntil, performance.now() + pauseMs + MARGIN_MS);
      return pauseMs;
    },
  });
  return {
    interceptors: [retry],
    async end() {
      ended = true;
      await delay(Math.max(0, plannedUntil - performance.now()));
    },
  };
}
