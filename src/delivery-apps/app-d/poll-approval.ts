import { asciiUpper } from '../../platform/text/ascii-case';
import type { OutboundRequest } from '../../platform/outbound/types';
import { answerText, bodyOf, parseJson, toOutcome, unreadable } from '../http-outcome';
import { isRecord } from '../is-record';
import { readText } from '../read-text';
import { reasonText } from '../reason-text';
import type { ClientOptions, PollOutcome } from '../app-client';
import { readMessage, readRefusal } from './refusal-reasons';
import { approvalPath, MAX_LIVE_MENUS_BYTES, MENU_PATH } from './rules';
import { digestIn } from './task-id';
import { APP_D_READERS } from './text-readers';

interface Question {
  readonly token: string;
  readonly appStoreId: string;
  readonly taskId: string;
}

/** `no word`: the app did not say what became of the menu. */
type Word = PollOutcome | { readonly kind: 'no word' };

const NO_WORD = { kind: 'no word' } as const;
const NO_REASON = 'The app rejected the menu and gave no reason.';

/**
 * What became of a menu that waits for approval. The app's documentation is contradictory about the answer: a word in
 * JSON, or the bare status 200, which proves nothing. In that case the menus that the app shows are read; the same
 * SKUs with the same prices and names mean `live`.
 */
export async function pollApproval(
  options: ClientOptions,
  question: Question,
): Promise<PollOutcome> {
  const path = approvalPath(question.appStoreId);
  const asked = await ask(options, question, path, async (answer) =>
    readApproval(answerText(answer), question.token),
  );
  if (asked.kind !== 'no word') return asked;
  const shown = await ask(options, question, MENU_PATH, (answer) =>
    readShown(options, question, answer),
  );
  return shown.kind === 'no word' ? { kind: 'running', status: 'no word' } : shown;
}

/** `read` gets the bytes of a good answer; undefined = they are unreadable. */
async function ask(
  { http, baseUrl, timeoutMs }: ClientOptions,
  { token }: Question,
  path: string,
  read: (answer: Buffer) => Promise<Word | undefined>,
): Promise<Word> {
  const request: OutboundRequest = {
    method: 'GET',
    url: `${baseUrl}${path}`,
    headers: { 'x-authorization': `Bearer ${token}`, accept: 'application/json' },
    timeoutMs,
    trustedHost: new URL(baseUrl).hostname,
    ...(path === MENU_PATH && { maxResponseBytes: MAX_LIVE_MENUS_BYTES }),
  };
  const result = await http.request(request);
  const outcome = toOutcome<{ readonly kind: 'answered'; readonly status: number }>(result, {
    now: Date.now(),
    secrets: [token],
    success: ({ status, truncated }) => (truncated ? undefined : { kind: 'answered', status }),
    reasons: readRefusal,
  });
  if (outcome.kind === 'answered') {
    return (await read(bodyOf(result))) ?? unreadable(outcome.status);
  }
  // The app has already accepted the menu: refusing the question (404, for example) does not refuse the menu.
  if (outcome.kind === 'rejected') return { kind: 'retry', reason: outcome.reasons.join(' ') };
  return outcome;
}

/** `undefined` for a body that is neither JSON nor empty, such as a proxy's page. */
function readApproval(text: string, token: string): Word | undefined {
  if (text.trim() === '') return NO_WORD;
  const answer = parseJson(text);
  if (answer === undefined) return undefined;
  const status = isRecord(answer) ? answer['status'] : undefined;
  if (typeof status !== 'string') return NO_WORD;
  switch (asciiUpper(status)) {
    case 'APPROVED':
      return { kind: 'live' };
    case 'REJECTED': {
      const reasons = readMessage(text).map((reason) => reasonText(reason, [token]));
      return { kind: 'rejected', reasons: reasons.length > 0 ? reasons : [NO_REASON] };
    }
    default:
      return { kind: 'running', status: 'waiting' };
  }
}

/** `no word` while the store shows another menu, or none. */
async function readShown(
  options: ClientOptions,
  { taskId, appStoreId }: Question,
  answer: Buffer,
): Promise<Word | undefined> {
  const shown = await readText(options, APP_D_READERS, 'shown', answer, appStoreId);
  if (!shown) return undefined;
  const [digest] = shown;
  return digest !== undefined && digest === digestIn(taskId) ? { kind: 'live' } : NO_WORD;
}
