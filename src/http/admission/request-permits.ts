import type { ServerResponse } from 'node:http';
import type { Middleware } from 'koa';
import { BOUNDS } from '../../platform/admission/bounds';
import type { Bounds } from '../../platform/admission/bound-metrics';
import { createPermitQueue, type PermitQueueLimits } from '../../platform/admission/permit-queue';
import type { Release } from '../../platform/admission/permits';
import { serviceBusy } from '../../platform/admission/service-busy';
import type { UserId } from '../../platform/ids';
import type { RequestContext, RequestState } from '../state';
import { callerGone, whenClosed } from '../when-closed';

/** Does work with a permit, and gives that back. Throws the 503 if there is none. */
export async function permitted<T>(
  release: Release | undefined,
  work: () => Promise<T>,
): Promise<T> {
  if (!release) throw serviceBusy();
  try {
    return await work();
  } finally {
    release();
  }
}

/**
 * The same for the rest of a request, whose permit is free again once its row is written, with its answer at the
 * latest.
 */
export function withPermit(
  { state }: Pick<RequestContext, 'state'>,
  release: Release | undefined,
  next: () => Promise<unknown>,
): Promise<unknown> {
  if (release) state.onRowWritten = release;
  return permitted(release, next);
}

/** Permits that requests wait for, by a key such as their user. */
export interface RequestPermits<Key extends string = UserId> {
  /**
   * Does work with a permit of the key. Throws the 503 if none comes in time, or the process stops. With the response,
   * a caller who leaves waits no longer, and gets none.
   */
  run<T>(key: Key, work: () => Promise<T>, response?: ServerResponse): Promise<T>;
}

export interface RequestPermitDeps {
  readonly bounds: Bounds;
  /**
   * Fires at the first moment of a shutdown, after which nobody waits: a permit may come later than the process lives.
   */
  readonly stopping: AbortSignal;
}

const OF_A_USER = { atOnce: { ofKey: 8 }, waiting: { ofKey: 500 }, longestWaitMs: 20_000 };
const OF_STRANGERS = {
  atOnce: { ofAll: 10, ofKey: 5 },
  waiting: { ofAll: 5_000, ofKey: 2_500 },
  longestWaitMs: 5_000,
};

interface RequestPermitLimits extends PermitQueueLimits {
  /** A permit rests after the work for as long as that took, before it is given to another. */
  readonly rests?: true;
}

/** How many are at work and wait, and how long: what `BOUNDS` says of these in words. */
export const QUEUES = {
  // The decoder has threads of its own, and four of them would leave the event loop no processor.
  inflating_bodies: {
    atOnce: { ofAll: 1 },
    waiting: { ofAll: BOUNDS.inflating_bodies.limit - 1, ofKey: 'three quarters' },
    longestWaitMs: 20_000,
  },
  large_inserts: {
    atOnce: { ofAll: BOUNDS.large_inserts.limit, ofKey: 1 },
    waiting: { ofAll: 200, ofKey: 'three quarters' },
    longestWaitMs: 20_000,
    rests: true,
  },
  // As many at work as keep the threads of previews busy and hide the latency of images and name servers. Those who
  // wait have sent only their head.
  stranger_requests_of_a_user: OF_A_USER,
  text_reads_of_a_user: OF_A_USER,
  // A page may run nine statements at once, which count thousands of rows; a browser asks for six pages at once. A list
  // searches as many rows: with ten at once, another user's statements had a tenth of Postgres.
  pages_of_a_user: { atOnce: { ofKey: 2 }, waiting: { ofKey: 500 }, longestWaitMs: 20_000 },
  // Whether a stranger is known takes a statement of a millisecond or two, so that few at once are thousands a second,
  // and half of the connections to Postgres stay free of strangers. An address has half of all at most: however many
  // one sends, another's waits for a few.
  pictures_of_a_user: { atOnce: { ofKey: 6 }, waiting: { ofKey: 500 }, longestWaitMs: 20_000 },
  // As many as are checked at once for an upload.
  pictures_of_a_host: {
    atOnce: { ofAll: 16, ofKey: 4 },
    waiting: { ofAll: BOUNDS.pictures_of_a_host.limit - 16, ofKey: 'three quarters' },
    longestWaitMs: 20_000,
  },
  token_lookups: OF_STRANGERS,
  signature_checks: OF_STRANGERS,
} as const satisfies Record<string, RequestPermitLimits>;

/** Waiting permits with the bound that counts who gets none; it is as full as they are taken and waited for. */
export function createRequestPermits<Key extends string = UserId>(
  name: keyof typeof QUEUES,
  { bounds, stopping }: RequestPermitDeps,
  limits: RequestPermitLimits = QUEUES[name],
): RequestPermits<Key> {
  const queue = createPermitQueue<Key>(limits);
  const { atOnce, waiting } = queue;
  const used = () => atOnce.used() + waiting.used();
  const bound = bounds.declare(name, { limit: atOnce.limit + waiting.limit, used });
  stopping.addEventListener('abort', () => queue.refuse());

  /** Waits for a permit while the caller does. */
  async function take(key: Key, response?: ServerResponse): Promise<Release | undefined> {
    const gone = new AbortController();
    const giveUp = () => gone.abort();
    if (response) whenClosed(response, giveUp);
    const unwanted = stopping.aborted ? stopping : gone.signal;
    const release = await queue.take(key, { unwanted });
    response?.off('close', giveUp);
    return release;
  }

  return {
    async run(key, work, response) {
      const release = await take(key, response);
      if (response?.closed) {
        release?.();
        throw callerGone();
      }
      if (!release) bound.hit(key);
      return permitted(release && limits.rests ? afterRest(release) : release, work);
    },
  };
}

/** Gives the permit back after a rest that is as long as the time since this call. */
function afterRest(release: Release): Release {
  const startedAt = performance.now();
  return () => {
    setTimeout(release, Math.ceil(performance.now() - startedAt)).unref();
  };
}

/** Lets the request wait for a permit of its user, before its body is read. */
export function ownPermit(permits: RequestPermits): Middleware<RequestState> {
  return (ctx, next) => permits.run(ctx.state.caller.userId, next, ctx.res);
}
