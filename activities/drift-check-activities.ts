import { storeFactsOf } from '../src/delivery-apps/types';
import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import type { AppLease } from '../src/availability/sql/calls';
import type { ReadMenuOutcome } from '../src/delivery-apps/app-client';
import { HANDED_OUT_MS } from '../src/platform/observe/freeze-watch';
import type { PublicationKey } from '../src/uploads/sql/publications';
import {
  beginReading,
  claimCheck,
  type DueCheck,
  KEPT_CHANGES,
  type Reading,
  recordReading,
  restCheck,
} from '../src/drift/sql/drift-checks';
import { type AppContext, type AppDeps, openApp, storeKey } from './app-context';
import { underAppLease } from './app-lease';
import { ELSEWHERE_PAUSE_MS, wait } from './wait';
import type { MenuActivityDeps } from './activity-deps';
import { withHeartbeat } from './with-heartbeat';

export type CheckDeps = AppDeps &
  Pick<MenuActivityDeps, 'documents' | 'freezes' | 'log' | 'menus' | 'tokens'>;

/** `idle`: there is nothing to read, and the workflow has come to rest. */
export interface CheckPass {
  readonly next: 'idle' | 'again';
  /** The result, for people. */
  readonly summary: string;
}

/** Pause while a push or a call is in progress. */
const HELD_PAUSE_MS = 100;
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
          summary: 'No reading is due.',
        };
      }
      const reading = await withHeartbeat(() => read(key, check));
      await recordReading(sql, key, check, reading, everyMs);
      const count = reading.count === null ? '' : `, ${reading.count} changes`;
      return { next: 'again', summary: `Upload ${check.uploadId}: ${reading.state}${count}.` };
    },
  };

  async function read(key: PublicationKey, check: DueCheck): Promise<Reading> {
    const context = await openApp(deps, key);
    if (!context?.client.readMenu || check.payloadSha256 === null) return UNREADABLE;
    const outcome = await readPatiently(context, key);
    if (outcome.kind !== 'read' && outcome.kind !== 'absent') return UNREADABLE;
    const payload = outcome.kind === 'read' ? outcome.payload : Buffer.from('null');
    const pushed = await deps.documents.read(check.payloadSha256);
    const drift = await deps.menus.by(storeKey(key)).drift({
      app: context.app.name,
      text: pushed,
      payload,
      kept: KEPT_CHANGES,
      store: storeFactsOf({ ...context.target, countryCode: check.countryCode }),
      priceUnit: deps.settings.APP_A_PRICE_UNIT,
      sentMenus: SENT_MENUS,
    });
    if (!drift) return UNREADABLE;
    const { count, changes, sha256 } = drift;
    return count === 0
      ? { state: 'same', count, changes, sha256: null }
      : { state: 'changed', count, changes, sha256: `${check.uploadId}/${sha256}` };
  }

  async function readPatiently(context: AppContext, key: PublicationKey): Promise<ReadMenuOutcome> {
    let outcome: ReadMenuOutcome = { kind: 'unknown', reason: 'not asked yet' };
    for (let tries = 0; tries < TRIES; tries += 1) {
      if (tries > 0) await wait(RETRY_PAUSE_MS);
      outcome = await readOnce(context, key);
      if (outcome.kind === 'read' || outcome.kind === 'absent') break;
    }
    return outcome;
  }

  async function readOnce(context: AppContext, key: PublicationKey): Promise<ReadMenuOutcome> {
    const { client, credential, target, listening } = context;
    const access = await deps.tokens.get(client, credential, `check/${key.storeId}`);
    if (access.kind === 'elsewhere') {
      await wait(ELSEWHERE_PAUSE_MS);
      return { kind: 'unknown', reason: 'the token is fetched elsewhere' };
    }
    if (access.kind !== 'token') return { kind: 'unknown', reason: access.reason };
    const { token, version } = access;
    const since = performance.now() - HANDED_OUT_MS;
    const lease = { ...key, callId: randomUUID() };
    const outcome = await underAppLease(deps, {
      lease,
      listening,
      take: () => beginReadingWhenFree(lease, context.app.readSpacingMs),
      isAwake: () => !deps.freezes.wasFrozen(since),
      call: async () => client.readMenu?.({ token, appStoreId: target.appStoreId }),
    });
    if (outcome?.kind === 'token_expired') await deps.tokens.forget(credential, version);
    return outcome ?? { kind: 'unknown', reason: 'the app cannot be read' };
  }

  /**
   * Waits until the app is free and may be asked again, then takes the lease. Resolves with the time at which the
   * statement that took it was sent, by `performance.now()`.
   */
  async function beginReadingWhenFree(lease: AppLease, spacingMs?: number): Promise<number> {
    for (;;) {
      const sentAt = performance.now();
      const begun = await beginReading(sql, lease, spacingMs);
      if (begun.kind === 'go') return sentAt;
      await wait(begun.kind === 'paced' ? begun.ms : HELD_PAUSE_MS);
    }
  }
}

export type CheckActivities = ReturnType<typeof createCheckActivities>;
