import { asciiUpper } from '../../platform/text/ascii-case';
import type { OutboundRequest } from '../../platform/outbound/types';
import { parseJson, toOutcome } from '../http-outcome';
import { isRecord } from '../is-record';
import { reasonText } from '../reason-text';
import type { ClientOptions, PollOutcome } from '../app-client';
import { readMessage, readRefusal } from './refusal-reasons';
import { approvalPath, MAX_LIVE_MENUS_BYTES, MENU_PATH } from './rules';
import { isShownMenu } from './task-id';

interface Question {
  readonly token: string;
  readonly appStoreId: string;
  readonly taskId: string;
}

type Answered = { readonly kind: 'read'; readonly outcome: PollOutcome | 'no word' };

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
  const asked = await ask(options, question, approvalPath(question.appStoreId), (text) =>
    readApproval(text, question.token),
  );
  if (asked !== 'no word') return asked;
  const shown = await ask(options, question, MENU_PATH, (text) => readShown(text, question));
  return shown === 'no word' ? { kind: 'running', status: 'no word' } : shown;
}

async function ask(
  { http, baseUrl, timeoutMs }: ClientOptions,
  { token }: Question,
  path: string,
  read: (text: string) => PollOutcome | 'no word' | undefined,
): Promise<PollOutcome | 'no word'> {
  const request: OutboundRequest = {
    method: 'GET',
    url: `${baseUrl}${path}`,
    headers: { 'x-authorization': `Bearer ${token}`, accept: 'application/json' },
    timeoutMs,
    trustedHost: new URL(baseUrl).hostname,
    ...(path === MENU_PATH && { maxResponseBytes: MAX_LIVE_MENUS_BYTES }),
  };
  const outcome = toOutcome<Answered>(await http.request(request), {
    now: Date.now(),
    secrets: [token],
    success({ text, truncated }) {
      const answer = truncated ? undefined : read(text);
      return answer && { kind: 'read', outcome: answer };
    },
    reasons: readRefusal,
  });
  if (outcome.kind === 'read') return outcome.outcome;
  // The app has already accepted the menu: refusing the question (404, for example) does not refuse the menu.
  if (outcome.kind === 'rejected') return { kind: 'retry', reason: outcome.reasons.join(' ') };
  return outcome;
}

/** `undefined` for a body that is neither JSON nor empty, such as a proxy's page. */
function readApproval(text: string, token: string): PollOutcome | 'no word' | undefined {
  if (text.trim() === '') return 'no word';
  const answer = parseJson(text);
  if (answer === undefined) return undefined;
  const status = isRecord(answer) ? answer['status'] : undefined;
  if (typeof status !== 'string') return 'no word';
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
function readShown(text: string, question: Question): PollOutcome | 'no word' | undefined {
  const menus = parseJson(text);
  if (!Array.isArray(menus) || !menus.every(isStoreMenu)) return undefined;
  const shown = menus.find(({ storeId }) => String(storeId) === question.appStoreId);
  return shown && isShownMenu(question.taskId, shown.items) ? { kind: 'live' } : 'no word';
}

interface StoreMenu {
  readonly storeId: string | number;
  readonly items: readonly unknown[];
}

function isStoreMenu(value: unknown): value is StoreMenu {
  if (!isRecord(value) || !Array.isArray(value['items'])) return false;
  return typeof value['storeId'] === 'string' || typeof value['storeId'] === 'number';
}
