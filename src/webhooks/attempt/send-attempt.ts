import type { ClaimedDelivery } from '../sql/delivery-claims';
import { attemptDetail } from './attempt-detail';
import {
  type AnswerBefore,
  healthSignal,
  isDecision,
  judgeItemData,
  judgePlatformEvent,
  judgeStock,
  type ReceiverVerdict,
  whyStockIsUnsettled,
} from './judge-answer';
import { type ReceiverHeaders, secretsOf } from './receiver-headers';
import type { MessageType } from '../platform-events';
import { readAnswerText } from '../../platform/outbound/answer-text';
import type { OwnFaultKind } from '../../platform/outbound/own-faults';
import type {
  OutboundClient,
  OutboundErrorCode,
  OutboundResult,
} from '../../platform/outbound/types';
import {
  answerExcerpt,
  RECEIVER_ANSWER_BYTES,
  type ReceiverAnswer,
  toReceiverAnswer,
} from './read-answer';
import type { Permits, Release } from '../../platform/admission/permits';
import type { SigningSecrets } from '../../platform/crypto/signing';
import { buildWebhookRequest, type WebhookRequest } from './webhook-request';

export interface AttemptDeps {
  readonly http: OutboundClient;
  /** Deadline of one request, ms; for type 1 also how long we wait for its status after the last byte. */
  readonly timeoutMs: number;
  /**
   * For requests that hold nothing up any more and only wait for a status. Without one a request keeps its permit in
   * flight.
   */
  readonly unhurried: Pick<Permits, 'take'>;
  /** The database's clock, Unix time in ms. */
  readonly now: () => number;
}

export interface Attempt {
  readonly url: string;
  readonly type: MessageType;
  readonly secrets: SigningSecrets;
  /** Headers that the receiver wants with each request. */
  readonly ownHeaders: ReceiverHeaders;
  readonly delivery: ClaimedDelivery;
  readonly payload: string;
  /** When it begins, by the database's clock, Unix time in ms: what is sent is dated so. */
  readonly startedAt: number;
  /** When aborted, the verdict is `interrupted`: the delivery is released, and no attempt counts. */
  readonly signal: AbortSignal;
  /** Asked right before the first byte; if false, nothing is sent, with the same verdict. */
  readonly maySend: () => boolean;
  /** Called when the receiver can take the next request although this one has not ended. */
  readonly onEarlyRelease: () => void;
}

export interface AttemptEnd {
  readonly verdict: ReceiverVerdict;
  readonly health: ReturnType<typeof healthSignal>;
  /** Our own trouble: the receiver never heard of it, and no attempt counts. */
  readonly ownFault: OwnFaultKind | null;
  readonly status: number | null;
  /** Why there is no whole answer. */
  readonly error: OutboundErrorCode | null;
  /** What is wrong, in words for the owner of the webhook. */
  readonly detail: string | null;
  /** For the log: the receiver's host and why there is no answer, in words (`describeFailure`). */
  readonly failure: string | null;
  readonly response: string | null;
  readonly durationMs: number;
}

/** A receiver of item data gets the next request this long after the previous one was written, answered or not. */
const RELEASE_AFTER_SENT_MS = 1_000;

/**
 * The longest possible duration of an attempt, ms. A lease must be longer. Type 1 may use its deadline twice: until
 * the last byte is out, and then until a status arrives.
 */
export function longestAttemptMs(timeoutMs: number): number {
  return 2 * timeoutMs;
}

/** Sends one signed request and judges what comes back. Never rejects: whatever happens is an outcome. */
export async function sendAttempt(deps: AttemptDeps, attempt: Attempt): Promise<AttemptEnd> {
  const request = tryBuild(attempt);
  if (request === null) return UNSENDABLE;
  switch (attempt.type) {
    case 1:
      return sendItemData(deps, attempt, request);
    // 204 acknowledges; 410, or another 4xx with a message that is no gateway's, refuses; anything else is tried again.
    case 2:
      return sendAwaited(deps, attempt, request, {
        judge: (answer, now) => judgeStock(answer, now, answeredBefore(attempt.delivery)),
        statusDecides: (status) => !isDecision(status),
        whyUnsettled: whyStockIsUnsettled,
      });
    case 3:
      return sendAwaited(deps, attempt, request, {
        judge: judgePlatformEvent,
        statusDecides: () => true,
      });
    default:
      return attempt.type satisfies never;
  }
}

/** The answer to the attempt before, unless a resend came after it: that begins anew. */
function answeredBefore(delivery: ClaimedDelivery): AnswerBefore | null {
  const { attemptsMade, attemptsBeforeResend, receiverStatus, message } = delivery;
  return attemptsMade > attemptsBeforeResend ? { status: receiverStatus, message } : null;
}

/** An invalid stored payload is a defect of ours; reporting it as an outcome limits it to this one delivery. */
const UNSENDABLE: AttemptEnd = {
  verdict: { kind: 'retry', status: null, message: null, retryAfterMs: null, health: null },
  health: null,
  ownFault: null,
  status: null,
  error: 'invalid_request',
  detail: null,
  failure: null,
  response: null,
  durationMs: 0,
};

function tryBuild({
  type,
  payload,
  secrets,
  ownHeaders,
  delivery,
  startedAt: now,
}: Attempt): WebhookRequest | null {
  const { messageId, sequence } = delivery;
  try {
    return buildWebhookRequest({ type, payload, secrets, ownHeaders, messageId, sequence, now });
  } catch {
    return null;
  }
}

/** What answers to a type of message mean. */
interface Meaning {
  readonly judge: (answer: ReceiverAnswer, now: number) => ReceiverVerdict;
  readonly statusDecides: (status: number) => boolean;
  /** What an answer that was read lacks, in words. */
  readonly whyUnsettled?: (verdict: ReceiverVerdict) => string | null;
}

/** For requests whose answer matters: the permit in flight is held until the answer arrives. */
async function sendAwaited(
  { http, timeoutMs, now }: AttemptDeps,
  { url, ownHeaders, signal, maySend }: Attempt,
  request: WebhookRequest,
  { judge, statusDecides, whyUnsettled = () => null }: Meaning,
): Promise<AttemptEnd> {
  let sent = false;
  const result = await http.request({
    method: 'POST',
    url,
    ...request,
    timeoutMs,
    maxResponseBytes: RECEIVER_ANSWER_BYTES,
    statusDecides,
    signal,
    maySend,
    onSent: () => (sent = true),
  });
  const secrets = secretsOf(ownHeaders);
  const verdict = judge(toReceiverAnswer(result, sent, secrets), now());
  const end = toEnd(result, verdict, { url, secrets });
  return { ...end, detail: end.detail ?? (end.error === null ? whyUnsettled(verdict) : null) };
}

/**
 * Item data: the answer is not used and may take long. A second after the request is written, its permit in flight is
 * free. The request still waits for a status until the deadline has passed once more, so that a delivery has exactly
 * one outcome.
 */
async function sendItemData(
  { http, timeoutMs, unhurried, now }: AttemptDeps,
  { url, ownHeaders, signal, maySend, onEarlyRelease }: Attempt,
  request: WebhookRequest,
): Promise<AttemptEnd> {
  let releaseTimer: NodeJS.Timeout | undefined;
  let sent = false;
  let release: Release | undefined;

  function onSent(): void {
    sent = true;
    releaseTimer = setTimeout(() => {
      release = unhurried.take();
      if (release) onEarlyRelease();
    }, RELEASE_AFTER_SENT_MS);
  }

  const result = await http.request({
    method: 'POST',
    url,
    ...request,
    timeoutMs,
    answerTimeoutMs: timeoutMs,
    maxResponseBytes: RECEIVER_ANSWER_BYTES,
    statusDecides: () => true,
    signal,
    maySend,
    onSent,
  });
  clearTimeout(releaseTimer);
  release?.();
  const secrets = secretsOf(ownHeaders);
  const verdict = judgeItemData(toReceiverAnswer(result, sent, secrets), now());
  return toEnd(result, verdict, { url, secrets });
}

function toEnd(
  result: OutboundResult,
  verdict: AttemptEnd['verdict'],
  { url, secrets }: { readonly url: string; readonly secrets: readonly string[] },
): AttemptEnd {
  const trouble = result.kind === 'response' ? result.broken : result;
  const text = result.kind === 'response' ? readAnswerText(result).text : '';
  return {
    verdict,
    health: healthSignal(verdict),
    ownFault: result.kind === 'failed' ? (result.ours ?? null) : null,
    status: result.kind === 'response' ? result.status : null,
    error: trouble?.code ?? null,
    detail: attemptDetail(result, url, secrets),
    failure: trouble?.message ?? null,
    response: (text && answerExcerpt(text, secrets)) || null,
    durationMs: Math.round(result.durationMs),
  };
}
