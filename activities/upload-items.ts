import type { ItemCall, ItemCallOutcome } from '../src/delivery-apps/app-client';
import type { HeardAnswer } from '../src/delivery-apps/listening-client';
import { storeFactsOf } from '../src/delivery-apps/types';
import { putBackForToken } from '../src/uploads/push-queue';
import { recordNoCalls, recordQuickTry } from '../src/uploads/sql/upload-attempts';
import type { PushNext, StepReport } from '../src/uploads/upload-report';
import { quickPauseMs } from '../src/uploads/upload-retries';
import type { MenuActivityDeps } from './activity-deps';
import { type PushCall, takePushLease } from './app-lease';
import { describeAnswer, failedTryOf } from './app-verdict';
import type { Attempt } from './load-attempt';
import { takeOffSale } from './push-request';
import { type StepEnd, uploadStep } from './upload-step';
import { wait } from './wait';

/** The menu is to be pushed, by this attempt. */
interface NeedsPush {
  readonly next: 'push';
  readonly attempt: Attempt;
}

/**
 * Tries to bring a change of single items to the app by its calls about them. `push`: the upload is no such change, the
 * calls cannot carry it, or the app did not take them all. Then a push of the whole settles what they left.
 */
export async function changeItems(
  deps: MenuActivityDeps,
  attempt: Attempt,
  call: PushCall,
): Promise<StepReport<PushNext> | NeedsPush> {
  const calls = await planCalls(deps, attempt, call.signal);
  if (!calls) return { next: 'push', attempt };
  const recordsStart = calls.length > 0 && !startsWithPush(attempt);
  const report = await uploadStep<PushNext | 'push'>(
    deps,
    attempt,
    'items',
    { recordsStart },
    (startedAt) => callPatiently(deps, attempt, call, calls, startedAt),
  );
  if (report.next !== 'push') return report;
  const target = { ...attempt.target, hasItemCalls: true, liveDocumentSha256: null };
  return { next: 'push', attempt: { ...attempt, target, keptToken: undefined } };
}

/** With a stored token that need not be renewed, the step begins in the statement that begins the push. */
export function startsWithPush({ keptToken }: Attempt): boolean {
  return keptToken?.due === false;
}

/**
 * The calls that make what the app shows what it is to show; undefined: only a push can. What it shows is known if the
 * last thing that was begun went live as a whole (`liveDocumentSha256`), so calls whose process died end here too.
 */
async function planCalls(
  { documents, menus, images }: MenuActivityDeps,
  { target, app }: Attempt,
  signal: AbortSignal,
): Promise<readonly ItemCall[] | undefined> {
  const { changedFrom, refusal, liveDocumentSha256, livePayloadSha256, payloadSha256 } = target;
  const isChange = changedFrom !== null && refusal === null && !target.isPayloadOfOtherApp;
  const isKnown = liveDocumentSha256 !== null && livePayloadSha256 !== null;
  if (!isChange || !isKnown || payloadSha256 === null) return undefined;
  if (livePayloadSha256 === payloadSha256) return [];
  if (!app.itemCalls) return undefined;
  const [before, text] = await Promise.all([
    documents.read(livePayloadSha256),
    documents.read(payloadSha256),
  ]);
  const { currencyExponent } = storeFactsOf(target);
  const plan = await menus
    .by(target.userId)
    .itemCalls({ app: app.name, before, text, store: { currencyExponent } });
  if (!plan || plan.calls.length > app.itemCalls.mostCalls) return undefined;
  const bad = plan.images?.length ? await images.inspect(plan.images, signal) : undefined;
  return bad?.size ? undefined : plan.calls;
}

/** What the calls came to, and how many of them the app took, in all tries. */
interface CallsAnswer {
  readonly outcome: ItemCallOutcome;
  readonly answer: HeardAnswer | null;
  readonly ms: number;
  readonly made: number;
}

/** A refused token is renewed once, and an app that is busy or away is tried again soon, as by a push. */
async function callPatiently(
  deps: MenuActivityDeps,
  attempt: Attempt,
  call: PushCall,
  calls: readonly ItemCall[],
  startedAt: Date,
): Promise<StepEnd<PushNext | 'push'>> {
  const { callId } = call;
  if (calls.length === 0) {
    const isCurrent = await recordNoCalls(deps.sql, attempt);
    return isCurrent ? { verdict: { kind: 'unchanged' } } : { next: 'stale' };
  }
  let [made, isRenewed] = [0, false];
  for (let tries = 0, begins: Date | undefined = startedAt; ; begins = undefined) {
    const tried = await tryCalls(deps, attempt, call, calls.slice(made), begins);
    if (!('outcome' in tried)) return tried;
    const { outcome, answer, ms } = tried;
    made += tried.made;
    const summary = `${made} of ${calls.length} calls, ${describeAnswer(outcome.kind, answer, ms)}`;
    if (outcome.kind === 'changed') return { verdict: { kind: 'live' }, callId, answer, summary };
    if (outcome.kind === 'token_expired' && !isRenewed) {
      isRenewed = true;
      continue;
    }
    // Whatever a call without an answer did, a push settles it.
    const pauseMs = outcome.kind === 'retry' ? quickPauseMs(outcome, tries, deps.settings) : null;
    const failed = failedTryOf(outcome);
    if (pauseMs === null || failed === null)
      return { next: 'push', state: 'failed', answer, summary };
    if (!(await recordQuickTry(deps.sql, attempt, failed, pauseMs))) return { next: 'stale' };
    await wait(pauseMs, call.signal);
    tries += 1;
  }
}

/** Makes the calls one after the other under the lease of the app, until one fails. */
async function tryCalls(
  deps: MenuActivityDeps,
  attempt: Attempt,
  call: PushCall,
  calls: readonly ItemCall[],
  startedAt: Date | undefined,
): Promise<CallsAnswer | StepEnd<PushNext>> {
  const { tokens, atCheckpoint } = deps;
  const { app, client, credential, keptToken, listening, target, uploadId } = attempt;
  const access = await tokens.get(client, credential, uploadId, startedAt && keptToken);
  if (access.kind === 'elsewhere') {
    await putBackForToken(deps, attempt, credential);
    return { next: 'waits', state: 'running', summary: 'another upload fetches the token' };
  }
  if (access.kind === 'refused') return { verdict: { kind: 'token_refused' }, callId: call.callId };
  if (access.kind === 'retry') {
    return { retry: { reason: access.reason, waits: 'token', afterMs: access.afterMs ?? null } };
  }
  const stepStartsAt = startedAt && startsWithPush(attempt) ? startedAt : null;
  const lease = await takePushLease(deps, attempt, call, stepStartsAt, 'items');
  if (!lease) return { next: 'stale' };
  const { spacingMs = 0, saysOffSale = false } = app.itemCalls ?? {};
  try {
    const mayBeOff = saysOffSale && (lease.hasUnavailable || target.setsSeasons);
    const off = mayBeOff ? await takeOffSale(deps.sql, attempt) : [];
    const offIds = new Set(off.map(({ wireId }) => wireId));
    const sentAt = performance.now();
    const report = (outcome: ItemCallOutcome, made: number): CallsAnswer => ({
      outcome,
      answer: listening.lastAnswer([access.token, credential.clientSecret]),
      ms: performance.now() - sentAt,
      made,
    });
    for (const [made, each] of calls.entries()) {
      if (made > 0) await wait(spacingMs, call.signal);
      await atCheckpoint('worker:before-item-call');
      const isOff = each.wireId !== null && offIds.has(each.wireId);
      const request = { token: access.token, appStoreId: target.appStoreId, call: each, isOff };
      const outcome = await listening.sendOnlyIf(
        lease.maySend,
        async () => (await client.changeItems?.(request)) ?? NO_CALL,
      );
      if (outcome.kind === 'token_expired') await tokens.forget(credential, access.version);
      if (outcome.kind !== 'changed') return report(outcome, made);
    }
    return report({ kind: 'changed' }, calls.length);
  } finally {
    lease.stop();
  }
}

const NO_CALL: ItemCallOutcome = { kind: 'rejected', reasons: ['the app has no such call'] };
