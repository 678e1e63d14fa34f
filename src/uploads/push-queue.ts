import type { Credential } from '../delivery-apps/tokens/app-access';
import type { AppTokens } from '../delivery-apps/tokens/app-tokens';
import type { Sql } from '../platform/db/client';
import type { AttemptKey } from './sql/upload-attempts';
import { awaitPlace, resumeUploads, type PlaceName } from './sql/upload-waits';
import { inBackground } from '../platform/in-background';
import type { Log } from '../platform/observe/log';
import { menuPublicationWorkflow } from './queue';
import type { Waker } from '../platform/queue/waker';

/** Lets uploads wait for one another in their rows, so that a waiting one holds nothing in a worker. */
export interface PushQueue {
  /**
   * Puts an attempt back to wait for `place`. `isFree` is checked once more afterwards, because the place may have
   * become free just before.
   */
  putBack(
    attempt: AttemptKey,
    place: PlaceName,
    isFree: () => boolean | Promise<boolean>,
  ): Promise<void>;
  /**
   * Lets up to `count` uploads continue. Not waited for and never throws: an upload that is not resumed continues when
   * its time is over.
   */
  resume(place: PlaceName, count: number): void;
  /**
   * The same for a place that becomes free often: unless an upload of this process waits for it, it queries only once
   * a second.
   */
  resumeWaiting(place: PlaceName, count: number): void;
}

export interface PushQueueDeps {
  readonly sql: Sql;
  readonly waker: Waker;
  readonly log: Log;
}

/** For uploads whose worker died before resuming them. Long, because each such try costs an attempt. */
const AT_MOST_MS = 120_000;

/** One token lets hundreds continue, and waking must leave room for other work. */
const WAKES_AT_ONCE = 20;

/** Another worker may have made an upload wait and died before resuming it. */
const LOOK_EVERY_MS = 1_000;

export function createPushQueue({ sql, waker, log }: PushQueueDeps): PushQueue {
  /** Places that uploads of this process may be waiting for. */
  const awaited = new Set<PlaceName>();
  /** When each place was last queried, by `performance.now()`. One entry per integration. */
  const lookedAt = new Map<PlaceName, number>();

  async function resumeAll(place: PlaceName, count: number): Promise<void> {
    const keys = [...(await resumeUploads(sql, place, count))];
    // There may be more.
    if (keys.length === count) awaited.add(place);
    while (keys.length > 0) {
      const some = keys.splice(0, WAKES_AT_ONCE);
      await Promise.all(some.map((key) => waker.wake(menuPublicationWorkflow, key, false)));
    }
  }
  function resume(place: PlaceName, count: number): void {
    awaited.delete(place);
    inBackground(resumeAll(place, count), (error) =>
      log.warn({ place, err: error }, 'waiting uploads could not be resumed'),
    );
  }
  return {
    resume,
    resumeWaiting(place, count) {
      const now = performance.now();
      const isDue = now - (lookedAt.get(place) ?? Number.NEGATIVE_INFINITY) >= LOOK_EVERY_MS;
      if (count === 0 || (!isDue && !awaited.has(place))) return;
      lookedAt.set(place, now);
      resume(place, count);
    },
    async putBack(attempt, place, isFree) {
      await awaitPlace(sql, attempt, place, AT_MOST_MS);
      // Not earlier: a place that becomes free finds the row only from now on.
      awaited.add(place);
      if (await isFree()) resume(place, 1);
    },
  };
}

/** The place of the upload that fetches the token of a credential. */
export function tokenPlace(credentialKey: string): PlaceName {
  return `token/${credentialKey}`;
}

/** Puts an attempt back to wait for the token that another upload is fetching. */
export function putBackForToken(
  { pushQueue, tokens }: { readonly pushQueue: PushQueue; readonly tokens: AppTokens },
  attempt: AttemptKey,
  credential: Credential,
): Promise<void> {
  const isFree = async (): Promise<boolean> => !(await tokens.isBeingFetched(credential));
  return pushQueue.putBack(attempt, tokenPlace(credential.key), isFree);
}
