import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { cancellationSignal } from '@temporalio/activity';
import {
  beginCall,
  type CallRate,
  type CallLease,
  endCall,
  RENEW_CALL_MS,
  renewCall,
} from '../src/availability/sql/calls';
import type { HeardAnswer } from '../src/delivery-apps/listening-client';
import type { Credential } from '../src/delivery-apps/tokens/app-access';
import { TOKEN_NOT_ACCEPTED, TOKEN_UNAVAILABLE } from '../src/availability/availability';
import { inBackground } from '../src/platform/in-background';
import { HANDED_OUT_MS } from '../src/platform/observe/freeze-watch';
import type { AvailabilityDeps, LineContext } from './availability-context';

/** The answers of an app to any call about availability, besides success. */
type Unsettled =
  | { readonly kind: 'rejected'; readonly reasons: readonly string[] }
  | {
      readonly kind: 'retry';
      readonly reason: string;
      readonly afterMs?: number;
      /** How often the call may be repeated after such an answer; then it is a refusal. Absent: no limit. */
      readonly atMost?: number;
    }
  | { readonly kind: 'unknown'; readonly reason: string }
  | { readonly kind: 'token_expired' };

/** The result of a call. `later`: the line tries it again. `stale`: another claim has taken over. */
export type Called<T> =
  | {
      readonly kind: 'answered';
      readonly outcome: Exclude<T, Unsettled>;
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
/** Pauses between quick retries of a call without a readable answer. */
const QUICK_PAUSES_MS = [500, 1_500] as const;
/** Pause before later repeats of a call that may be repeated only a few times. */
const LAST_PAUSE_MS = 3_000;
/** Pause while another process fetches the token. */
const ELSEWHERE_PAUSE_MS = 1_000;

/** What a call has while the app is its own. */
export interface Turn {
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
  call: (turn: Turn) => Promise<T | Unsettled | undefined>,
): Promise<Called<T>> {
  const since = performance.now() - HANDED_OUT_MS;
  let isRenewed = false;
  for (let round = 0, repeats = 0; ;) {
    const owner = `availability/${line.ref.storeId}/${line.ref.integrationId}`;
    const access = await deps.tokens.get(line.client, credential, owner);
    if (access.kind === 'refused') return tokenRefused(TOKEN_UNAVAILABLE, null);
    if (access.kind === 'elsewhere') {
      await pause(ELSEWHERE_PAUSE_MS);
      continue;
    }
    if (access.kind === 'retry') return later(access.reason, access.afterMs);
    const outcome = await underLease(deps, line, rate, since, (nextRequest) =>
      call({ token: access.token, nextRequest }),
    );
    if (outcome === 'stale' || outcome === undefined) return { kind: 'stale' };
    const answer = line.listening.lastAnswer([access.token, credential.clientSecret]);
    if (isUnsettled(outcome)) {
      switch (outcome.kind) {
        case 'rejected':
          return { kind: 'refused', reasons: outcome.reasons, isToken: false, answer };
        case 'retry': {
          const { reason, afterMs, atMost } = outcome;
          if (atMost === undefined) return later(reason, afterMs);
          if (repeats >= atMost) {
            return { kind: 'refused', reasons: [reason], isToken: false, answer };
          }
          await pause(QUICK_PAUSES_MS[repeats] ?? LAST_PAUSE_MS);
          repeats += 1;
          continue;
        }
        case 'token_expired':
          await deps.tokens.forget(credential, access.version);
          if (isRenewed) return tokenRefused(TOKEN_NOT_ACCEPTED, answer);
          isRenewed = true;
          continue;
        case 'unknown': {
          const pauseMs = QUICK_PAUSES_MS[round];
          if (pauseMs === undefined) return later(outcome.reason);
          round += 1;
          await pause(pauseMs);
          continue;
        }
      }
    }
    return { kind: 'answered', outcome: outcome as Exclude<T, Unsettled>, answer };
  }
}

function tokenRefused<T>(sentence: string, answer: HeardAnswer | null): Called<T> {
  return { kind: 'refused', reasons: [sentence], isToken: true, answer };
}

function isUnsettled(outcome: { readonly kind: string }): outcome is Unsettled {
  return ['rejected', 'retry', 'token_expired', 'unknown'].includes(outcome.kind);
}

function later<T>(reason: string, afterMs?: number): Called<T> {
  return { kind: 'later', reason, afterMs: afterMs ?? null };
}

/** Waits for the lease of the app and holds it during `call`. `stale`: another claim has taken over. */
async function underLease<T>(
  deps: AvailabilityDeps,
  line: LineContext,
  rate: CallRate,
  since: number,
  call: (nextRequest: Turn['nextRequest']) => Promise<T>,
): Promise<T | 'stale'> {
  const lease: CallLease = { ...line.ref, callId: randomUUID() };
  const maySend = (): boolean => !deps.freezes.hasStoodStill(since);
  // The lease may be taken again by the call that has it, which then only waits for the rate.
  const takeLease = (): Promise<boolean> => awaitLease(deps, lease, rate, maySend);
  if (!(await takeLease())) return 'stale';
  const renew = (): void => {
    inBackground(renewCall(deps.sql, lease), (err) => {
      deps.log.warn({ ...line.ref, err }, 'a call in progress cannot be renewed');
    });
  };
  const timer = setInterval(renew, RENEW_CALL_MS);
  try {
    return await line.listening.sendOnlyIf(maySend, () => call(takeLease));
  } finally {
    clearInterval(timer);
    await endCall(deps.sql, lease);
  }
}

/** False: another claim has taken over. */
async function awaitLease(
  { sql }: Pick<AvailabilityDeps, 'sql'>,
  lease: CallLease,
  rate: CallRate,
  maySend: () => boolean,
): Promise<boolean> {
  for (let heldMs: number = HELD_PAUSE_MS.first; ;) {
    if (!maySend()) throw new Error('this process stood still, its call may be made elsewhere');
    const start = await beginCall(sql, lease, rate);
    if (start.kind === 'stale') return false;
    if (start.kind === 'go') return true;
    if (start.kind === 'paced') {
      await pause(start.ms);
      continue;
    }
    await pause(heldMs);
    heldMs = Math.min(2 * heldMs, HELD_PAUSE_MS.longest);
  }
}

function pause(ms: number): Promise<void> {
  return delay(ms, undefined, { signal: cancellationSignal() });
}
