import { sendBearerJson } from '../bearer-json';
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
import { readReasons } from './refusal-reasons';
import { holidayHoursPath, itemPath, NO_PATH_SEGMENT, statusPath } from './rules';
import type { WireMenuConfiguration, WireSuspension } from './wire';

/** A far future for an item that is off sale without an end: unix s, because the app has no value for ever. */
const FOR_EVER_S = 8_640_000_000;
const REASON = 'Out of stock';

export const APP_A_AVAILABILITY: AvailabilityRules = {
  idsPerCall: 1,
  mixesBoth: false,
  // Five a second, minus a margin, because evenly sent requests do not arrive evenly.
  spacingMs: 210,
  burst: 1,
  repeatsBehindMenus: false,
  writeUnavailable,
};

/** Each item needs its own call. Fields that are not sent stay as they are. */
export async function switchItem(
  options: ClientOptions,
  { token, appStoreId, items }: SwitchRequest,
): Promise<SwitchOutcome> {
  const [item] = items;
  if (!item) return { kind: 'switched' };
  if (NO_PATH_SEGMENT.test(item.wireId)) {
    const reason = 'The delivery system cannot be asked about an item with this id.';
    return { kind: 'rejected', reasons: [reason] };
  }
  return post<SwitchOutcome>(options, token, {
    path: itemPath(appStoreId, item.wireId),
    body: { suspension_info: suspensionOf(item) },
    done: { kind: 'switched' },
  });
}

/** Pauses the store by its status; if the pause has an end, the app ends it by itself. */
export async function pauseStore(
  options: ClientOptions,
  { token, appStoreId, paused, until, reason }: PauseRequest,
): Promise<PauseOutcome> {
  const body = paused
    ? {
        status: 'PAUSED',
        ...(until && { paused_until: until.toISOString() }),
        ...(reason !== null && { reason }),
      }
    : { status: 'ONLINE' };
  return post<PauseOutcome>(options, token, {
    path: statusPath(appStoreId),
    body: body,
    done: { kind: 'done' },
  });
}

/** A day without hours, as the app writes it. */
const CLOSED = [{ start_time: '00:00', end_time: '00:00' }] as const;

/** Each call replaces all days; without any the map is empty. */
export async function setSpecialDays(
  options: ClientOptions,
  { token, appStoreId, days }: SpecialDaysRequest,
): Promise<SpecialDaysOutcome> {
  const hours = days.map(({ date, periods }) => {
    const open = periods.map(({ start, end }) => ({ start_time: start, end_time: end }));
    return [date, { open_time_periods: open.length > 0 ? open : CLOSED }] as const;
  });
  return post<SpecialDaysOutcome>(options, token, {
    path: holidayHoursPath(appStoreId),
    body: { holiday_hours: Object.fromEntries(hours) },
    done: { kind: 'done' },
  });
}

/** A success has no body (204), so only the status counts: `done` is its outcome. */
export async function post<T>(
  options: ClientOptions,
  token: string,
  { path, body, done }: { readonly path: string; readonly body: object; readonly done: T },
): Promise<T | CommonOutcome> {
  const result = await sendBearerJson(options, token, {
    method: 'POST',
    path,
    body: JSON.stringify(body),
  });
  return toOutcome<T>(result, {
    now: Date.now(),
    secrets: [token],
    success: () => done,
    reasons: readReasons,
  });
}

function suspensionOf({ available, until }: SwitchedItem): WireSuspension {
  if (available) return { suspension: { suspend_until: null } };
  const seconds = until ? Math.ceil(until.getTime() / 1000) : FOR_EVER_S;
  return { suspension: { suspend_until: seconds, reason: REASON } };
}

/** The transformed menu with these items suspended. */
function writeUnavailable(payload: Buffer, items: readonly SwitchedItem[]): Buffer {
  const off = new Map(items.map((item) => [item.wireId, item]));
  return changeItems<WireMenuConfiguration['items'][number]>(payload, (each) => {
    const item = off.get(each.id);
    return item ? { ...each, suspension_info: suspensionOf(item) } : each;
  });
}
