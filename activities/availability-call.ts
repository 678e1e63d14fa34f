import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import {
  type AppLease,
  beginCall,
  type CallRate,
  type QueueClaim,
  recordFailedCall,
  spaceNextCall,
} from '../src/availability/sql/calls';
import type { CommonOutcome } from '../src/delivery-apps/app-client';
import type { HeardAnswer } from '../src/delivery-apps/listening-client';
import type { Credential } from '../src/delivery-apps/tokens/app-access';
import { TOKEN_NOT_ACCEPTED, TOKEN_UNAVAILABLE } from '../src/availability/availability';
import { HANDED_OUT_MS } from '../src/platform/observe/freeze-watch';
import { quickPauseMs } from '../src/uploads/upload-retries';
import { cleanReason } from '../src/uploads/upload-verdict';
import type { Access } from '../src/delivery-apps/tokens/app-tokens';
import type { WaitingReason } from '../src/contract/why-it-waits';
import type { AvailabilityDeps, QueueContext } from './availability-context';
import { underAppLease } from './app-lease';
import { ELSEWHERE_PAUSE_MS, wait } from './wait';

/** The result of a call. `later`: it is tried again. `stale`: another claim has taken over. */
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
  | {
      readonly kind: 'later';
      readonly reason: string;
      readonly waits: WaitingReason;
      readonly afterMs: number | null;
    }
  | { readonly kind: 'stale' };

/**
 * Pauses while a push or another call is in progress: short at first, as most end soon, and then longer, because an app
 * that hangs may hold hundreds of queues for half a minute.
 */
const HELD_PAUSE_MS = { first: 50, longest: 800 } as const;

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
 * Quick tries follow a failure as they do for a push; if its answer justifies only so many, the last one is a refusal.
 */
export async function callApp<T extends { readonly kind: string }>(
  deps: AvailabilityDeps,
  queue: QueueContext,
  rate: CallRate,
  credential: Credential,
  call: (held: HeldApp) => Promise<T | CommonOutcome | undefined>,
): Promise<Called<T>> {
  const since = performance.now() - HANDED_OUT_MS;
  let isRenewed = false;
  for (let tries = 0; ;) {
    const access = await getToken(deps, queue, credential);
    if (access.kind === 'refused') return tokenRefused(TOKEN_UNAVAILABLE, null);
    const outcome =
      access.kind === 'retry'
        ? ({ ...access, waits: 'token' } as const)
        : await callOnce(deps, queue, { rate, token: access.token, since }, call);
    if (outcome === undefined) return { kind: 'stale' };
    const answer =
      access.kind === 'token'
        ? queue.listening.lastAnswer([access.token, credential.clientSecret])
        : null;
    if (!isCommonOutcome(outcome)) {
      return { kind: 'answered', outcome: outcome as Exclude<T, CommonOutcome>, answer };
    }
    switch (outcome.kind) {
      case 'rejected':
        return { kind: 'refused', reasons: outcome.reasons, isToken: false, answer };
      case 'token_expired':
        if (access.kind === 'token') await deps.tokens.forget(credential, access.version);
        if (isRenewed) return tokenRefused(TOKEN_NOT_ACCEPTED, answer);
        isRenewed = true;
        break;
      case 'retry':
      case 'unknown': {
        const { reason, afterMs = null, atMost, ...rest } = asRetry(outcome);
        const waits: WaitingReason = rest.waits ?? 'app_unavailable';
        const pauseMs = quickPauseMs(outcome, tries, deps.settings);
        if (pauseMs === null) {
          return atMost === undefined
            ? { kind: 'later', reason, waits, afterMs }
            : { kind: 'refused', reasons: [reason], isToken: false, answer };
        }
        const failed = { reason: cleanReason(reason), waits } as const;
        if (!(await recordFailedCall(deps.sql, queue.ref, failed, pauseMs))) {
          return { kind: 'stale' };
        }
        tries += 1;
        await wait(pauseMs);
      }
    }
  }
}

/** Waits while another process fetches it. */
async function getToken(
  deps: AvailabilityDeps,
  { ref, client }: QueueContext,
  credential: Credential,
): Promise<Exclude<Access, { kind: 'elsewhere' }>> {
  for (;;) {
    const owner = `availability/${ref.storeId}/${ref.integrationId}`;
    const access = await deps.tokens.get(client, credential, owner);
    if (access.kind !== 'elsewhere') return access;
    await wait(ELSEWHERE_PAUSE_MS);
  }
}

/** One call under the lease of the app. Undefined: another claim has taken over, or nothing is left to send. */
async function callOnce<T>(
  deps: AvailabilityDeps,
  { ref, listening }: QueueContext,
  { rate, token, since }: { rate: CallRate; token: string; since: number },
  call: (held: HeldApp) => Promise<T | CommonOutcome | undefined>,
): Promise<T | CommonOutcome | undefined> {
  const lease = { ...ref, callId: randomUUID() };
  const isAwake = (): boolean => !deps.freezes.wasFrozen(since);
  // The lease may be taken again by the call that has it, which then only waits for the rate.
  const take = (): Promise<number | undefined> => beginCallWhenFree(deps, lease, rate, isAwake);
  let sentAt: number | undefined;
  const space = async (): Promise<void> => {
    if (rate.spacingMs === 0 || sentAt === undefined) return;
    const agoMs = rate.spacedFromAnswer ? 0 : performance.now() - sentAt;
    await spaceNextCall(deps.sql, lease, rate, agoMs);
  };
  return underAppLease(deps, {
    lease,
    listening,
    take,
    // Asked right before the first byte.
    isAwake() {
      sentAt = performance.now();
      return isAwake();
    },
    async call() {
      const answer = await call({
        token,
        async nextRequest() {
          await space();
          return (await take()) !== undefined;
        },
      });
      await space();
      return answer;
    },
  });
}

function asRetry(
  outcome: Extract<CommonOutcome, { kind: 'retry' | 'unknown' }>,
): Omit<Extract<CommonOutcome, { kind: 'retry' }>, 'kind'> {
  return outcome;
}

function tokenRefused<T>(sentence: string, answer: HeardAnswer | null): Called<T> {
  return { kind: 'refused', reasons: [sentence], isToken: true, answer };
}

function isCommonOutcome(outcome: { readonly kind: string }): outcome is CommonOutcome {
  return ['rejected', 'retry', 'token_expired', 'unknown'].includes(outcome.kind);
}

/**
 * Waits until the app is free and its rate allows the call, then takes the lease. Resolves with the time at which the
 * statement that took it was sent, by `performance.now()`; undefined: another claim has taken over.
 */
async function beginCallWhenFree(
  { sql }: Pick<AvailabilityDeps, 'sql'>,
  lease: QueueClaim & AppLease,
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
