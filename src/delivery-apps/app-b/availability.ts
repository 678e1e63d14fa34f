import type { OutboundResult } from '../../platform/outbound/types';
import { sendBearerJson } from '../bearer-json';
import { changeItems } from '../change-items';
import { parseJson, toOutcome } from '../http-outcome';
import { isRecord } from '../is-record';
import { reasonText } from '../reason-text';
import type {
  ClientOptions,
  FailedEntity,
  PauseOutcome,
  PauseRequest,
  SpecialDaysOutcome,
  SpecialDaysRequest,
  SwitchedItem,
  SwitchOutcome,
  SwitchRequest,
} from '../app-client';
import type { AvailabilityRules } from '../types';
import { readMenuErrors } from './refusal-reasons';
import { itemStatusPath, specialDaysPath, storeStatusPath } from './rules';
import type { WireDocument } from './wire';

const OFF = 'UNAVAILABLE';
const ON = 'AVAILABLE';

export const APP_B_AVAILABILITY: AvailabilityRules = {
  idsPerCall: 100,
  mixesBoth: true,
  // 60 per minute: 30 at once, then one every two seconds.
  spacingMs: 2_000,
  burst: 30,
  repeatsBehindMenus: false,
  writeUnavailable,
};

/** Up to 100 items in one call, both off and on sale. */
export async function switchItems(
  options: ClientOptions,
  { token, appStoreId, items }: SwitchRequest,
): Promise<SwitchOutcome> {
  const body = Buffer.from(
    JSON.stringify({
      items: items.map(({ wireId, available }) => ({ id: wireId, status: available ? ON : OFF })),
    }),
  );
  const result = await sendBearerJson(options, token, {
    method: 'PATCH',
    path: itemStatusPath(appStoreId),
    body,
  });
  return toOutcome<SwitchOutcome>(result, {
    now: Date.now(),
    secrets: [token],
    success: ({ text }) => readSwitched(text, items, token),
    reasons: (text) => readMenuErrors(text, body),
  });
}

/**
 * `{"updated":[ids],"failed":[{id, code}]}`; any other form is unreadable, whatever its status. An item counts as
 * switched only if it is named so: one that both lists leave out, or that stands in both, may still be as it was.
 */
function readSwitched(
  text: string,
  items: readonly SwitchedItem[],
  token: string,
): SwitchOutcome | undefined {
  const answer = parseJson(text);
  if (!isRecord(answer) || !Array.isArray(answer['updated'])) return undefined;
  const updated = new Set<unknown>(answer['updated']);
  const refused = Array.isArray(answer['failed']) ? answer['failed'].filter(isRecord) : [];
  const codes = new Map(refused.map(({ id, code }) => [id, code]));
  const failed = items
    .filter(({ wireId }) => codes.has(wireId) || !updated.has(wireId))
    .map(({ wireId }): FailedEntity => {
      const code = codes.get(wireId);
      const message = typeof code === 'string' ? reasonText(code, [token]) : '';
      return { externalId: wireId, message: message || 'The app gave no reason.' };
    });
  return failed.length > 0 ? { kind: 'partly_switched', failed } : { kind: 'switched' };
}

/** Each call replaces all days. */
export async function setSpecialDays(
  options: ClientOptions,
  { token, appStoreId, days }: SpecialDaysRequest,
): Promise<SpecialDaysOutcome> {
  const body = Buffer.from(
    JSON.stringify({
      days: days.map(({ date, periods, name }) => ({
        date,
        ...(periods.length > 0 ? { periods } : { closed: true }),
        ...(name !== null && { name }),
      })),
    }),
  );
  const result = await sendBearerJson(options, token, {
    method: 'PUT',
    path: specialDaysPath(appStoreId),
    body,
  });
  return toDone(result, token);
}

/** Without an end, because the app never ends a pause by itself. */
export async function pauseStore(
  options: ClientOptions,
  { token, appStoreId, paused }: PauseRequest,
): Promise<PauseOutcome> {
  const result = await sendBearerJson(options, token, {
    method: 'PUT',
    path: storeStatusPath(appStoreId),
    body: JSON.stringify({ open: !paused }),
  });
  return toDone(result, token);
}

/** Any success means that the app has done what it was asked. */
function toDone(result: OutboundResult, token: string): PauseOutcome {
  return toOutcome<PauseOutcome>(result, {
    now: Date.now(),
    secrets: [token],
    success: () => ({ kind: 'done' }),
    reasons: (text) => readMenuErrors(text, Buffer.from('{}')),
  });
}

/** The transformed menu with these items unavailable. */
function writeUnavailable(payload: Buffer, items: readonly SwitchedItem[]): Buffer {
  const off = new Set(items.map((item) => item.wireId));
  return changeItems<WireDocument['items'][number]>(payload, (each) =>
    off.has(each.id) ? { ...each, status: OFF } : each,
  );
}
