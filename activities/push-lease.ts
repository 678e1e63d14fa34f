import { setTimeout as delay } from 'node:timers/promises';
import { cancellationSignal } from '@temporalio/activity';
import {
  beginPush,
  type PushBeginning,
  type BegunPush,
  type PushLease,
  RENEW_PUSH_MS,
  renewPush,
} from '../src/uploads/sql/pushes';
import { inBackground } from '../src/platform/in-background';
import type { MenuActivityDeps } from './upload-attempt';

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
): Promise<BegunPush | undefined> {
  for (let { beginsStep } = push; ; beginsStep = false) {
    requireNotFrozen();
    const begun = await beginPush(sql, { ...push, beginsStep });
    if (!begun?.isHeldElsewhere) return begun;
    await delay(HELD_PAUSE_MS, undefined, { signal: cancellationSignal() });
  }
}

/** Runs `send` and renews the push meanwhile. Most pushes end before the first renewal. */
export async function holdingPush<T>(
  { sql, log }: Pick<MenuActivityDeps, 'sql' | 'log'>,
  lease: PushLease,
  send: () => Promise<T>,
): Promise<T> {
  const renew = (): void => {
    inBackground(renewPush(sql, lease), (err) => {
      log.warn({ upload_id: lease.uploadId, err }, 'a push in progress cannot be renewed');
    });
  };
  const timer = setInterval(renew, RENEW_PUSH_MS);
  try {
    return await send();
  } finally {
    clearInterval(timer);
  }
}
