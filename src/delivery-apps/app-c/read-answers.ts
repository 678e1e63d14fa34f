import { reasonText } from '../reason-text';
import type { CommonOutcome, PollOutcome, PushOutcome, TokenResult } from '../app-client';
import { type Envelope, idOf, type JsonObject, readEnvelope } from './envelope';
import { MOST_RETRIES, TOO_OFTEN_PAUSE_MS } from './rules';
import { taskOutcome } from './task-outcome';

/**
 * The result of a token call. `expired`: the shop's token has ended and must be refreshed · `refreshed`: reading it
 * again may return a new one · `unread`: the app could not read it this time.
 */
export type TokenAnswer =
  | TokenResult
  | { readonly kind: 'refreshed' }
  | { readonly kind: 'expired'; readonly reason: string }
  | { readonly kind: 'unread'; readonly reason: string };

/**
 * Reads the answer of a token call. Its text is dropped, because the app may echo the request, whose URL contains the
 * secret.
 */
export function readToken(text: string): TokenAnswer | undefined {
  const answer = readEnvelope(text);
  return answer && (answer.meaning === 'ok' ? tokenIn(answer.data) : tokenRefusal(answer));
}

/** Reads the answer of a refresh; it never contains a token. */
export function readRefresh(text: string): TokenAnswer | undefined {
  const answer = readEnvelope(text);
  return answer && (answer.meaning === 'ok' ? { kind: 'refreshed' } : tokenRefusal(answer));
}

function tokenRefusal({ errno, meaning }: Envelope): TokenAnswer {
  const reason = `errno ${errno}`;
  switch (meaning) {
    case 'token_expired':
      return { kind: 'expired', reason };
    case 'token_unread':
      return { kind: 'unread', reason };
    case 'refused':
      return { kind: 'refused', reason };
    case 'too_often':
      return { kind: 'retry', reason, afterMs: TOO_OFTEN_PAUSE_MS };
    // In the answer of a token call, 10001 is a failure of the app.
    case 'menu_refused':
    case 'other':
    case 'ok':
      return { kind: 'retry', reason };
    default:
      return meaning satisfies never;
  }
}

/** Unlike the other apps, this one says when the token ends (unix s) rather than how long it lives. */
function tokenIn({
  auth_token: token,
  token_expiration_time: expiration,
}: JsonObject): TokenResult {
  if (typeof token !== 'string' || token === '' || !(Number(expiration) > 0)) {
    return { kind: 'retry', reason: 'The answer has no token, or none with an end.' };
  }
  return { kind: 'token', token, expiresAt: Number(expiration) * 1000 };
}

/** Reads the answer of an upload: a task, or why there is none. */
export function readUpload(text: string, token: string): PushOutcome | undefined {
  const answer = readEnvelope(text);
  return answer && toPushOutcome(answer, token);
}

function toPushOutcome(answer: Envelope, token: string): PushOutcome {
  switch (answer.meaning) {
    case 'ok':
      return taskIn(answer.data);
    case 'other':
    case 'token_expired':
    case 'token_unread':
    case 'menu_refused':
    case 'refused':
    case 'too_often':
      return refusalOf(answer, token);
    default:
      return answer.meaning satisfies never;
  }
}

/** The outcome of an answer that is not a success, for any call. */
export function refusalOf(answer: Envelope, token: string): CommonOutcome {
  const reason = reasonOf(answer, token);
  switch (answer.meaning) {
    case 'token_expired':
    case 'token_unread':
      return { kind: 'token_expired' };
    case 'menu_refused':
    case 'refused':
      return { kind: 'rejected', reasons: [reason] };
    case 'too_often':
      return { kind: 'retry', reason, waits: 'app_busy', afterMs: TOO_OFTEN_PAUSE_MS };
    case 'ok':
    case 'other':
      return { kind: 'retry', reason, atMost: MOST_RETRIES };
    default:
      return answer.meaning satisfies never;
  }
}

function taskIn(data: JsonObject): PushOutcome {
  const taskId = idOf(data['taskID']);
  // Apparently accepted, but without an id its outcome can never be polled.
  if (taskId === undefined) return { kind: 'unknown', reason: 'The answer names no task.' };
  return { kind: 'accepted', taskId };
}

/** Reads the answer of a poll. No number in it can refuse the menu; only the task can. */
export function readTask(text: string, token: string): PollOutcome | undefined {
  const answer = readEnvelope(text);
  return answer && toPollOutcome(answer, token);
}

function toPollOutcome(answer: Envelope, token: string): PollOutcome {
  switch (answer.meaning) {
    case 'ok':
      return taskOutcome(answer.data);
    case 'token_expired':
    case 'token_unread':
      return { kind: 'token_expired' };
    case 'menu_refused':
    case 'refused':
    case 'other':
      return { kind: 'retry', reason: reasonOf(answer, token) };
    case 'too_often':
      return { kind: 'retry', reason: reasonOf(answer, token), waits: 'app_busy' };
    default:
      return answer.meaning satisfies never;
  }
}

/** The app's message in an answer whose HTTP status is already a refusal. */
export function readReasons(text: string): readonly string[] {
  const errmsg = readEnvelope(text)?.errmsg;
  return errmsg ? [errmsg] : [];
}

/** The app's message with its number, for which its support asks. */
export function reasonOf({ errno, errmsg }: Envelope, token: string): string {
  const words = reasonText(errmsg, [token]);
  return words === '' ? `errno ${errno}` : `${words} (errno ${errno})`;
}
