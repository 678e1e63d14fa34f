import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { cancellationSignal } from '@temporalio/activity';
import {
  beginPush,
  type PushBeginning,
  type BegunPush,
  HELD_MS,
  type PushLease,
  RENEW_PUSH_MS,
  renewPush,
} from '../src/uploads/sql/pushes';
import { keepLease } from './keep-lease';
import type { MenuActivityDeps } from './upload-attempt';

/** A push that was begun. `sentAt`: when its statement was sent, by `performance.now()`. */
export type TakenPush = BegunPush & { readonly sentAt: number };

/** Pause while another call's push is in progress. That push ends, or it is no longer renewed and lapses. */
const HELD_PAUSE_MS = 200;

/**
 * Waits until no other call pushes to the app, then takes the push; undefined if it is no longer this call's.
 * `requireNotFrozen` throws if this process was frozen meanwhile.
 */
export async function takePush(
  { sql }: Pick<MenuActivityDeps, 'sql'>,
  push: PushBeginning,
  requireNotFrozen: () => void,
): Promise<TakenPush | undefined> {
  for (let { beginsStep } = push; ; beginsStep = false) {
    requireNotFrozen();
    const sentAt = performance.now();
    const begun = await beginPush(sql, { ...push, beginsStep });
    if (!begun?.isHeldElsewhere) return begun && { ...begun, sentAt };
    await delay(HELD_PAUSE_MS, undefined, { signal: cancellationSignal() });
  }
}

/** Runs `send` and renews the push meanwhile. Most pushes end before the first renewal. */
export function holdingPush<T>(
  { sql, log }: Pick<MenuActivityDeps, 'sql' | 'log'>,
  lease: PushLease,
  { sentAt }: TakenPush,
  send: (isHeld: () => boolean) => Promise<T>,
): Promise<T> {
  const keeping = {
    heldMs: HELD_MS,
    everyMs: RENEW_PUSH_MS,
    sentAt,
    renew: () => renewPush(sql, lease),
    onFailure: (err: unknown) =>
      log.warn({ upload_id: lease.uploadId, err }, 'a push in progress cannot be renewed'),
  };
  return keepLease(keeping, send);
}
