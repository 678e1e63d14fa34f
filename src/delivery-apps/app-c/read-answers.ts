import { reasonText } from '../reason-text';
import type { PollOutcome, PushOutcome, TokenResult } from '../types';
import { type Envelope, idOf, type JsonObject, readEnvelope } from './envelope';
import { taskOutcome } from './task-outcome';

/** The answer of a token call. Its words are left out: the request has the secret in its URL, and may be echoed. */
export function readToken(text: string): TokenResult | undefined {
  const answer = readEnvelope(text);
  return answer && toToken(answer);
}

function toToken({ errno, meaning, data }: Envelope): TokenResult {
  if (meaning === 'ok') return tokenIn(data);
  const isRefusal = meaning === 'menu_refused' || meaning === 'credential_refused';
  return { kind: isRefusal ? 'refused' : 'retry', reason: `errno ${errno}` };
}

/** Unlike the other apps this one says when the token ends (unix s), not for how long it lives. */
function tokenIn({
  auth_token: token,
  token_expiration_time: expiration,
}: JsonObject): TokenResult {
  if (typeof token !== 'string' || token === '' || !(Number(expiration) > 0)) {
    return { kind: 'retry', reason: 'The answer has no token, or none with an end.' };
  }
  return { kind: 'token', token, expiresAt: Number(expiration) * 1000 };
}

/** The answer of an upload: a task, or why there is none. */
export function readUpload(text: string, token: string): PushOutcome | undefined {
  const answer = readEnvelope(text);
  return answer && toPushOutcome(answer, token);
}

function toPushOutcome(answer: Envelope, token: string): PushOutcome {
  const { meaning, data } = answer;
  if (meaning === 'ok') return taskIn(data);
  if (meaning === 'token_expired') return { kind: 'token_expired' };
  const reason = reasonOf(answer, token);
  return meaning === 'other' ? { kind: 'retry', reason } : { kind: 'rejected', reasons: [reason] };
}

function taskIn(data: JsonObject): PushOutcome {
  const taskId = idOf(data['taskID']);
  // Taken, by the looks of it, but nobody could ever ask for the outcome.
  if (taskId === undefined) return { kind: 'unknown', reason: 'The answer names no task.' };
  return { kind: 'accepted', taskId };
}

/** The answer of a poll. Whatever number it has, it cannot refuse the menu: that is the task's to say. */
export function readTask(text: string, token: string): PollOutcome | undefined {
  const answer = readEnvelope(text);
  return answer && toPollOutcome(answer, token);
}

function toPollOutcome(answer: Envelope, token: string): PollOutcome {
  if (answer.meaning === 'ok') return taskOutcome(answer.data);
  if (answer.meaning === 'token_expired') return { kind: 'token_expired' };
  return { kind: 'retry', reason: reasonOf(answer, token) };
}

/** The app's words in an answer whose HTTP status already refuses. */
export function readReasons(text: string): readonly string[] {
  const errmsg = readEnvelope(text)?.errmsg;
  return errmsg ? [errmsg] : [];
}

/** The app's words with its number, which its support asks for. */
function reasonOf({ errno, errmsg }: Envelope, token: string): string {
  const words = reasonText(errmsg, [token]);
  return words === '' ? `errno ${errno}` : `${words} (errno ${errno})`;
}
