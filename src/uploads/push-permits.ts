import { BOUNDS } from '../platform/admission/bounds';
import type { Bounds } from '../platform/admission/bound-metrics';
import { createPermits } from '../platform/admission/permits';
import type { PushQueue } from './push-queue';
import type { AttemptKey } from './sql/upload-attempts';

/** The permits of this worker for pushes to each integration. */
export interface PushPermits {
  /**
   * Takes one of the integration's `maxInFlight` permits, which may be another number each time. Undefined: all are
   * taken, and the attempt waits in its row until one is free.
   */
  takeOrWait(attempt: PushingAttempt): Promise<PushPermit | undefined>;
}

interface PushingAttempt extends AttemptKey {
  readonly integrationId: number;
  readonly maxInFlight: number;
}

/** `release` lets the uploads that wait for a permit continue. */
export interface PushPermit {
  readonly release: () => void;
}

/** The highest configurable limit of an integration; each push holds its payload in memory. */
export const MOST_PUSHES_AT_ONCE = BOUNDS.pushes_to_an_integration.limit;

/**
 * Counted per integration, so that a hanging app uses up only its own permits. The metric reports the fullest one since
 * the last look, as pushes are short: a label per integration would have unbounded values.
 */
export function createPushPermits({
  bounds,
  queue,
}: {
  readonly bounds: Bounds;
  readonly queue: Pick<PushQueue, 'putBack' | 'resumeWaiting'>;
}): PushPermits {
  const bound = bounds.declare('pushes_to_an_integration');
  const permits = createPermits<number>({ ofKey: MOST_PUSHES_AT_ONCE });
  return {
    async takeOrWait({ uploadId, attemptNo, integrationId, maxInFlight }) {
      const name = `push/${integrationId}` as const;
      const free = (): number => Math.max(0, maxInFlight - permits.takenBy(integrationId));
      const release = free() > 0 ? permits.take(integrationId) : undefined;
      if (!release) {
        bound.hit(String(integrationId));
        await queue.putBack({ uploadId, attemptNo }, name, () => free() > 0);
        return undefined;
      }
      bound.meet(permits.takenBy(integrationId));
      return {
        release() {
          release();
          // One for the free permit, and one in case an earlier resume was lost.
          queue.resumeWaiting(name, Math.min(2, free()));
        },
      };
    },
  };
}
