import { storeFactsOf } from '../src/delivery-apps/types';
import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { cancellationSignal } from '@temporalio/activity';
import type { ReadMenuOutcome } from '../src/delivery-apps/app-client';
import { HANDED_OUT_MS } from '../src/platform/observe/freeze-watch';
import type { PublicationKey } from '../src/uploads/sql/publications';
import {
  beginReading,
  claimCheck,
  type DueCheck,
  endReading,
  HELD_MS,
  KEPT_CHANGES,
  type Reading,
  recordReading,
  RENEW_CHECK_MS,
  renewReading,
  restCheck,
} from '../src/drift/sql/drift-checks';
import { type AvailabilityDeps, type LineContext, openLine } from './availability-context';
import { keepLease } from './keep-lease';
import type { MenuActivityDeps } from './upload-attempt';
import { withHeartbeat } from './with-heartbeat';

export type CheckDeps = AvailabilityDeps & Pick<MenuActivityDeps, 'documents' | 'menus'>;

/** `idle`: there is nothing to read, and the workflow has come to rest. */
export interface CheckPass {
  readonly next: 'idle' | 'again';
  /** The result, for people. */
  readonly told: string;
}

/** Pause while a push or a call is in progress. */
const HELD_PAUSE_MS = 100;
/** Pause while another process fetches the token. */
const ELSEWHERE_PAUSE_MS = 1_000;
/** How often an app is asked in one reading, and the pause between. */
const TRIES = 3;
const RETRY_PAUSE_MS = 1_000;
/** The menu's name on both sides, for an app that has no name for it. */
const SENT_MENUS = [{ identifier: 'menu', name: 'menu' }];
const UNREADABLE: Reading = { state: 'unreadable', count: null, changes: [], sha256: null };

/** All activities of `driftCheck`. `everyMs`: the interval of scheduled readings; null = none. */
export function createCheckActivities(deps: CheckDeps, everyMs: number | null) {
  const { sql } = deps;
  return {
    /** Reads back what is live in a store and integration, and stores how it differs from what was sent. */
    async checkLive(key: PublicationKey): Promise<CheckPass> {
      const check = await claimCheck(sql, key);
      if (!check) {
        return {
          next: (await restCheck(sql, key)) ? 'idle' : 'again',
          told: 'No reading is due.',
        };
      }
      const reading = await withHeartbeat(() => read(key, check));
      await recordReading(sql, key, check, reading, everyMs);
      const count = reading.count === null ? '' : `, ${reading.count} changes`;
      return { next: 'again', told: `Upload ${check.uploadId}: ${reading.state}${count}.` };
    },
  };

  async function read(key: PublicationKey, check: DueCheck): Promise<Reading> {
    // A reading records nothing in the line of availability, so it needs no claim of it.
    const line = await openLine(deps, { ...key, claimNo: 0 });
    if (!line?.client.readMenu || check.payloadSha256 === null) return UNREADABLE;
    const outcome = await readPatiently(line, key);
    if (outcome.kind !== 'read' && outcome.kind !== 'absent') return UNREADABLE;
    const payload = outcome.kind === 'read' ? outcome.payload : Buffer.from('null');
    const pushed = await deps.documents.read(check.payloadSha256);
    const drift = await deps.menus.drift({
      app: line.app.name,
      text: pushed,
      payload,
      kept: KEPT_CHANGES,
      store: storeFactsOf({ ...line.target, countryCode: check.countryCode }),
      priceUnit: deps.settings.APP_A_PRICE_UNIT,
      sentMenus: SENT_MENUS,
    });
    if (!drift) return UNREADABLE;
    const { count, changes, sha256 } = drift;
    return count === 0
      ? { state: 'same', count, changes, sha256: null }
      : { state: 'changed', count, changes, sha256: `${check.uploadId}/${sha256}` };
  }

  async function readPatiently(line: LineContext, key: PublicationKey): Promise<ReadMenuOutcome> {
    let outcome: ReadMenuOutcome = { kind: 'unknown', reason: 'not asked yet' };
    for (let round = 0; round < TRIES; round += 1) {
      if (round > 0) await pause(RETRY_PAUSE_MS);
      outcome = await readOnce(line, key);
      if (outcome.kind === 'read' || outcome.kind === 'absent') break;
    }
    return outcome;
  }

  async function readOnce(line: LineContext, key: PublicationKey): Promise<ReadMenuOutcome> {
    const { client, credential, target } = line;
    const access = await deps.tokens.get(client, credential, `check/${key.storeId}`);
    if (access.kind === 'elsewhere') {
      await pause(ELSEWHERE_PAUSE_MS);
      return { kind: 'unknown', reason: 'the token is fetched elsewhere' };
    }
    if (access.kind !== 'token') return { kind: 'unknown', reason: access.reason };
    const { token, version } = access;
    const outcome = await underLease(line, key, async () =>
      client.readMenu?.({ token, appStoreId: target.appStoreId }),
    );
    if (outcome?.kind === 'token_expired') await deps.tokens.forget(credential, version);
    return outcome ?? { kind: 'unknown', reason: 'the app cannot be read' };
  }

  /** Never at the same time as a push or another call to the store's app. */
  async function underLease<T>(
    line: LineContext,
    key: PublicationKey,
    call: () => Promise<T>,
  ): Promise<T> {
    const since = performance.now() - HANDED_OUT_MS;
    const callId = randomUUID();
    let sentAt = performance.now();
    while (!(await beginReading(sql, key, callId))) {
      await pause(HELD_PAUSE_MS);
      sentAt = performance.now();
    }
    const keeping = {
      heldMs: HELD_MS,
      everyMs: RENEW_CHECK_MS,
      sentAt,
      renew: () => renewReading(sql, key, callId),
      onFailure: (err: unknown) =>
        deps.log.warn({ ...key, err }, 'a reading in progress cannot be renewed'),
    };
    try {
      return await keepLease(keeping, (isHeld) =>
        line.listening.sendOnlyIf(() => isHeld() && !deps.freezes.hasStoodStill(since), call),
      );
    } finally {
      await endReading(sql, key, callId);
    }
  }
}

function pause(ms: number): Promise<void> {
  return delay(ms, undefined, { signal: cancellationSignal() });
}

export type CheckActivities = ReturnType<typeof createCheckActivities>;
