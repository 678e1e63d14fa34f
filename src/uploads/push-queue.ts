import type { Credential } from '../delivery-apps/tokens/app-access';
import type { AppTokens } from '../delivery-apps/tokens/app-tokens';
import type { Sql } from '../platform/db/client';
import type { AttemptKey } from './sql/upload-attempts';
import { awaitPermit, resumeUploads, type PermitName } from './sql/upload-waits';
import { inBackground } from '../platform/in-background';
import type { Log } from '../platform/observe/log';
import { menuPublicationWorkflow } from './queue';
import type { Waker } from '../platform/queue/waker';

/** Lets uploads wait for one another in their rows, so that a waiting one holds nothing in a worker. */
export interface PushQueue {
  /**
   * Puts an attempt back to wait for `permit`. `isFree` is checked once more afterwards, because the permit may have
   * become free just before.
   */
  putBack(
    attempt: AttemptKey,
    permit: PermitName,
    isFree: () => boolean | Promise<boolean>,
  ): Promise<void>;
  /**
   * Lets up to `count` uploads continue. Not waited for and never throws: an upload that is not resumed continues when
   * its time is over.
   */
  resume(permit: PermitName, count: number): void;
  /**
   * The same for a permit that becomes free often: unless an upload of this process waits for it, it queries only once
   * a second.
   */
  resumeWaiting(permit: PermitName, count: number): void;
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
  /** Permits that uploads of this process may be waiting for. */
  const awaited = new Set<PermitName>();
  /** When each permit was last queried, by `performance.now()`. One entry per integration. */
  const lookedAt = new Map<PermitName, number>();

  async function resumeAll(permit: PermitName, count: number): Promise<void> {
    const keys = [...(await resumeUploads(sql, permit, count))];
    // There may be more.
    if (keys.length === count) awaited.add(permit);
    while (keys.length > 0) {
      const some = keys.splice(0, WAKES_AT_ONCE);
      await Promise.all(some.map((key) => waker.wake(menuPublicationWorkflow, key, false)));
    }
  }
  function resume(permit: PermitName, count: number): void {
    awaited.delete(permit);
    inBackground(resumeAll(permit, count), (error) =>
      log.warn({ permit, err: error }, 'waiting uploads could not be resumed'),
    );
  }
  return {
    resume,
    resumeWaiting(permit, count) {
      const now = performance.now();
      const isDue = now - (lookedAt.get(permit) ?? Number.NEGATIVE_INFINITY) >= LOOK_EVERY_MS;
      if (count === 0 || (!isDue && !awaited.has(permit))) return;
      lookedAt.set(permit, now);
      resume(permit, count);
    },
    async putBack(attempt, permit, isFree) {
      await awaitPermit(sql, attempt, permit, AT_MOST_MS);
      // Not earlier: a permit that becomes free finds the row only from now on.
      awaited.add(permit);
      if (await isFree()) resume(permit, 1);
    },
  };
}

/** The permit of the upload that fetches the token of a credential. */
export function tokenPermit(credentialKey: string): PermitName {
  return `token/${credentialKey}`;
}

/** Puts an attempt back to wait for the token that another upload is fetching. */
export function putBackForToken(
  { pushQueue, tokens }: { readonly pushQueue: PushQueue; readonly tokens: AppTokens },
  attempt: AttemptKey,
  credential: Credential,
): Promise<void> {
  const isFree = async (): Promise<boolean> => !(await tokens.isBeingFetched(credential));
  return pushQueue.putBack(attempt, tokenPermit(credential.key), isFree);
}
