import { menuAnswerOf } from '../menu-answer';
import { unreadable } from '../http-outcome';
import { readText } from '../read-text';
import type { ClientOptions, PushRequest, ReadMenuOutcome } from '../app-client';
import { readReasons, refusalOf } from './read-answers';
import { MAX_LIST_BYTES, meaningOfErrno, PATHS } from './rules';
import { APP_C_READERS } from './text-readers';

/** The menu that the token's shop shows, by the names of an upload. */
export async function readMenu(
  options: ClientOptions,
  { token }: Pick<PushRequest, 'token'>,
): Promise<ReadMenuOutcome> {
  const { http, baseUrl, timeoutMs } = options;
  const query = new URLSearchParams({ auth_token: token });
  const result = await http.request({
    method: 'GET',
    url: `${baseUrl}${PATHS.list}?${query.toString()}`,
    headers: { accept: 'application/json' },
    timeoutMs,
    trustedHost: new URL(baseUrl).hostname,
    maxResponseBytes: MAX_LIST_BYTES,
  });
  const outcome = menuAnswerOf(result, token, readReasons);
  if (outcome.kind !== 'answered') return outcome;
  const read = await readText(options, APP_C_READERS, 'list', outcome.body);
  const [errno, errmsg = '', menu] = read ?? [];
  if (errno !== undefined && Number(errno) !== 0) return refused(Number(errno), errmsg, token);
  return menu === undefined
    ? unreadable(outcome.status)
    : { kind: 'read', payload: Buffer.from(menu) };
}

function refused(errno: number, errmsg: string, token: string): ReadMenuOutcome {
  const meaning = meaningOfErrno(errno, errmsg);
  const outcome = refusalOf({ errno, meaning, errmsg, data: {} }, token);
  return outcome.kind === 'rejected'
    ? { kind: 'unknown', reason: outcome.reasons.join(' ') }
    : outcome;
}
