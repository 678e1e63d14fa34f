import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import {
  type AppLease,
  beginCall,
  type CallRate,
  type LineClaim,
  spaceNextCall,
} from '../src/availability/sql/calls';
import type { CommonOutcome } from '../src/delivery-apps/app-client';
import type { HeardAnswer } from '../src/delivery-apps/listening-client';
import type { Credential } from '../src/delivery-apps/tokens/app-access';
import { TOKEN_NOT_ACCEPTED, TOKEN_UNAVAILABLE } from '../src/availability/availability';
import { HANDED_OUT_MS } from '../src/platform/observe/freeze-watch';
import { UPLOAD_TIMING } from '../src/uploads/upload-retries';
import type { AvailabilityDeps, LineContext } from './availability-context';
import { underAppLease } from './keep-lease';
import { ELSEWHERE_PAUSE_MS, wait } from './wait';

/** The result of a call. `later`: the line tries it again. `stale`: another claim has taken over. */
export type Called<T> =
  | {
      readonly kind: 'answered';
      readonly outcome: Exclude<T, CommonOutcome>;
      readonly answer: HeardAnswer | null;
    }
  /** `isToken`: there is no token that the app accepts, so the refusal is not about these items. */
  | {
      readonly kind: 'refused';
      readonly reasons: readonly string[];
      readonly isToken: boolean;
      readonly answer: HeardAnswer | null;
    }
  | { readonly kind: 'later'; readonly reason: string; readonly afterMs: number | null }
  | { readonly kind: 'stale' };

/**
 * Pauses while a push or another call is in progress: short at first, as most end soon, and then longer, because an app
 * that hangs may hold hundreds of lines for half a minute.
 */
const HELD_PAUSE_MS = { first: 50, longest: 800 } as const;
/**
 * As for a push: pauses between quick retries of a call without a readable answer, and before later repeats of one that
 * may be repeated only a few times.
 */
const { quickPausesMs, lastQuickPauseMs } = UPLOAD_TIMING;

/** What a call has while the app is its own. */
export interface HeldApp {
  readonly token: string;
  /** Waits until the app's rate allows one more request of this call. False: another claim has taken over. */
  readonly nextRequest: () => Promise<boolean>;
}

/**
 * Makes one call under the lease of the app: never at the same time as a push or another call to the store's app, and
 * no more often than the app allows. A token that the app refuses is renewed once. `call` may run several times,
 * because each run sends the complete state; it returns undefined if nothing is left to send, which counts as `stale`.
 * After an answer that justifies a limited number of repeats they are made here, and the last one is a refusal.
 */
export async function callApp<T extends { readonly kind: string }>(
  deps: AvailabilityDeps,
  line: LineContext,
  rate: CallRate,
  credential: Credential,
  call: (held: HeldApp) => Promise<T | CommonOutcome | undefined>,
): Promise<Called<T>> {
  const since = performance.now() - HANDED_OUT_MS;
  let isRenewed = false;
  for (let tries = 0, repeats = 0; ;) {
    const owner = `availability/${line.ref.storeId}/${line.ref.integrationId}`;
    const access = await deps.tokens.get(line.client, credential, owner);
    if (access.kind === 'refused') return tokenRefused(TOKEN_UNAVAILABLE, null);
    if (access.kind === 'elsewhere') {
      await wait(ELSEWHERE_PAUSE_MS);
      continue;
    }
    if (access.kind === 'retry') return later(access.reason, access.afterMs);
    const lease = { ...line.ref, callId: randomUUID() };
    const isAwake = (): boolean => !deps.freezes.wasFrozen(since);
    // The lease may be taken again by the call that has it, which then only waits for the rate.
    const take = (): Promise<number | undefined> => beginCallWhenFree(deps, lease, rate, isAwake);
    let sentAt: number | undefined;
    const space = async (): Promise<void> => {
      if (rate.spacingMs === 0 || sentAt === undefined) return;
      const agoMs = rate.spacedFromAnswer ? 0 : performance.now() - sentAt;
      await spaceNextCall(deps.sql, lease, rate, agoMs);
    };
    const nextRequest = async (): Promise<boolean> => {
      await space();
      return (await take()) !== undefined;
    };
    const outcome = await underAppLease(deps, {
      lease,
      listening: line.listening,
      take,
      // Asked right before the first byte.
      isAwake() {
        sentAt = performance.now();
        return isAwake();
      },
      async call() {
        const answer = await call({ token: access.token, nextRequest });
        await space();
        return answer;
      },
    });
    if (outcome === undefined) return { kind: 'stale' };
    const answer = line.listening.lastAnswer([access.token, credential.clientSecret]);
    if (isCommonOutcome(outcome)) {
      switch (outcome.kind) {
        case 'rejected':
          return { kind: 'refused', reasons: outcome.reasons, isToken: false, answer };
        case 'retry': {
          const { reason, afterMs, atMost } = outcome;
          if (atMost === undefined) return later(reason, afterMs);
          if (repeats >= atMost) {
            return { kind: 'refused', reasons: [reason], isToken: false, answer };
          }
          await wait(quickPausesMs[repeats] ?? lastQuickPauseMs);
          repeats += 1;
          continue;
        }
        case 'token_expired':
          await deps.tokens.forget(credential, access.version);
          if (isRenewed) return tokenRefused(TOKEN_NOT_ACCEPTED, answer);
          isRenewed = true;
          continue;
        case 'unknown': {
          const pauseMs = quickPausesMs[tries];
          if (pauseMs === undefined) return later(outcome.reason);
          tries += 1;
          await wait(pauseMs);
          continue;
        }
      }
    }
    return { kind: 'answered', outcome: outcome as Exclude<T, CommonOutcome>, answer };
  }
}

function tokenRefused<T>(sentence: string, answer: HeardAnswer | null): Called<T> {
  return { kind: 'refused', reasons: [sentence], isToken: true, answer };
}

function isCommonOutcome(outcome: { readonly kind: string }): outcome is CommonOutcome {
  return ['rejected', 'retry', 'token_expired', 'unknown'].includes(outcome.kind);
}

function later<T>(reason: string, afterMs?: number): Called<T> {
  return { kind: 'later', reason, afterMs: afterMs ?? null };
}

/**
 * Waits until the app is free and its rate allows the call, then takes the lease. Resolves with the time at which the
 * statement that took it was sent, by `performance.now()`; undefined: another claim has taken over.
 */
async function beginCallWhenFree(
  { sql }: Pick<AvailabilityDeps, 'sql'>,
  lease: LineClaim & AppLease,
  rate: CallRate,
  isAwake: () => boolean,
): Promise<number | undefined> {
  for (let heldMs: number = HELD_PAUSE_MS.first; ;) {
    if (!isAwake()) throw new Error('this process was frozen; its call may be under way elsewhere');
    const sentAt = performance.now();
    const start = await beginCall(sql, lease, rate);
    if (start.kind === 'stale') return undefined;
    if (start.kind === 'go') return sentAt;
    if (start.kind === 'paced') {
      await wait(start.ms);
      continue;
    }
    await wait(heldMs);
    heldMs = Math.min(2 * heldMs, HELD_PAUSE_MS.longest);
  }
}
