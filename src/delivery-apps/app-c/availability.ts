import type { OutboundResult } from '../../platform/outbound/types';
import { changeItems } from '../change-items';
import { toOutcome } from '../http-outcome';
import type {
  ClientOptions,
  CommonOutcome,
  PauseOutcome,
  PauseRequest,
  SpecialDaysOutcome,
  SpecialDaysRequest,
  SwitchedItem,
  SwitchOutcome,
  SwitchRequest,
} from '../app-client';
import type { AvailabilityRules } from '../types';
import { type Envelope, idOf, readEnvelope } from './envelope';
import { readReasons, reasonOf, refusalOf } from './read-answers';
import { ITEM_OFF_SALE, ITEM_ON_SALE, PATHS, PAUSE_REFUSALS, STORE_STATUS } from './rules';
import type { WirePayload } from './wire';

export const APP_C_AVAILABILITY: AvailabilityRules = {
  idsPerCall: 100,
  // A call has one status for all of its items.
  mixesBoth: false,
  // One a second, minus a margin: evenly sent requests do not arrive evenly, and one too many costs a minute.
  spacingMs: 1_500,
  burst: 1,
  spacedFromAnswer: true,
  repeatsBehindMenus: true,
  writeUnavailable,
};

/** The items all go off sale, or all come back. */
export async function switchItems(
  options: ClientOptions,
  { token, items }: SwitchRequest,
): Promise<SwitchOutcome> {
  const status = items[0]?.available ? ITEM_ON_SALE : ITEM_OFF_SALE;
  const result = await post(options, PATHS.itemStatus, {
    auth_token: token,
    app_item_ids: items.map((item) => item.wireId),
    status,
  });
  return readAnswer<SwitchOutcome>(
    result,
    token,
    (answer) => toSwitched(answer, items),
    ownFailure,
  );
}

/**
 * `{"success":[ids],"failed":[ids]}`. An item counts as switched only if it is named so: one that both lists leave
 * out, or that stands in both, may still be as it was. Without any list, errno 0 speaks for all items.
 */
function toSwitched({ data }: Envelope, items: readonly SwitchedItem[]): SwitchOutcome {
  if (data['success'] === undefined && data['failed'] === undefined) return { kind: 'switched' };
  const [switched, refused] = [idsOf(data['success']), idsOf(data['failed'])];
  const failed = items
    .filter(({ wireId }) => refused.has(wireId) || !switched.has(wireId))
    .map(({ wireId }) => ({ externalId: wireId, message: 'The app gave no reason.' }));
  return failed.length > 0 ? { kind: 'partly_switched', failed } : { kind: 'switched' };
}

function idsOf(list: unknown): ReadonlySet<string | undefined> {
  return new Set((Array.isArray(list) ? list : []).map(idOf));
}

/**
 * A pause sets the shop offline manually, so that its hours do not open it; its end returns the shop to its hours.
 */
export async function pauseStore(
  options: ClientOptions,
  { token, paused }: PauseRequest,
): Promise<PauseOutcome> {
  const { offline, online, byHand, byHours } = STORE_STATUS;
  const result = await post(options, PATHS.storeStatus, {
    auth_token: token,
    biz_status: paused ? offline : online,
    auto_switch: paused ? byHand : byHours,
  });
  return readAnswer<PauseOutcome>(result, token, () => ({ kind: 'done' }), isPauseError);
}

const CANNOT_CLEAR = 'This delivery cannot clear special days.';
const NOT_TAKEN = 'The delivery system did not take the special days.';

/**
 * All days in one call. Whether they replace or add to earlier ones is not published, nor how the last one is taken
 * away. The answer says for each field whether it was taken, beside errno 0.
 */
export async function setSpecialDays(
  options: ClientOptions,
  { token, days }: SpecialDaysRequest,
): Promise<SpecialDaysOutcome> {
  if (days.length === 0) return { kind: 'rejected', reasons: [CANNOT_CLEAR] };
  const result = await post(options, PATHS.store, {
    auth_token: token,
    biz_holiday_time: days.map(({ date, periods }) => ({
      bizHoliday: date,
      restAllDay: periods.length === 0,
      bizTime: periods.map(({ start, end }) => ({ begin: start, end })),
    })),
  });
  return readAnswer<SpecialDaysOutcome>(
    result,
    token,
    ({ data }) => {
      const taken = data['biz_holiday_time'];
      if (taken === true) return { kind: 'done' };
      if (taken === false) return { kind: 'rejected', reasons: [NOT_TAKEN] };
      return { kind: 'unknown', reason: 'the answer does not say whether the days were taken' };
    },
    ownFailure,
  );
}

/** 10001 refuses only menus; in the answer of any other call it is a failure of the app. */
export function ownFailure(
  answer: Envelope,
  token: string,
): Extract<CommonOutcome, { kind: 'retry' }> | undefined {
  return answer.meaning === 'menu_refused'
    ? { kind: 'retry', reason: reasonOf(answer, token) }
    : undefined;
}

/** Some numbers finally refuse a pause or its end. */
function isPauseError(answer: Envelope, token: string): PauseOutcome | undefined {
  return PAUSE_REFUSALS.has(answer.errno)
    ? { kind: 'rejected', reasons: [reasonOf(answer, token)] }
    : ownFailure(answer, token);
}

export function post(
  { http, baseUrl, timeoutMs }: ClientOptions,
  path: string,
  body: object,
): Promise<OutboundResult> {
  return http.request({
    method: 'POST',
    url: `${baseUrl}${path}`,
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify(body),
    timeoutMs,
    trustedHost: new URL(baseUrl).hostname,
  });
}

export function readAnswer<T>(
  result: OutboundResult,
  token: string,
  read: (answer: Envelope) => T,
  readError: (answer: Envelope, token: string) => T | CommonOutcome | undefined = () => undefined,
): T | CommonOutcome {
  const outcome = toOutcome<{ readonly kind: 'read'; readonly outcome: T | CommonOutcome }>(
    result,
    {
      now: Date.now(),
      secrets: [token],
      success({ text }) {
        const answer = readEnvelope(text);
        if (!answer) return undefined;
        if (answer.meaning === 'ok') return { kind: 'read', outcome: read(answer) };
        return { kind: 'read', outcome: readError(answer, token) ?? refusalOf(answer, token) };
      },
      reasons: readReasons,
    },
  );
  return outcome.kind === 'read' ? outcome.outcome : outcome;
}

/** The transformed menu with these items unavailable. */
function writeUnavailable(payload: Buffer, items: readonly SwitchedItem[]): Buffer {
  const off = new Set(items.map((item) => item.wireId));
  return changeItems<WirePayload['items'][number]>(payload, (each) =>
    off.has(each.app_item_id) ? { ...each, status: ITEM_OFF_SALE } : each,
  );
}
