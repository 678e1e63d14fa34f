import { type AppAnswer, type AppCall, jsonAnswer } from '../app-simulator';
import { areHours, isDay, type ShownDay, type ShownPeriod } from '../special-days';
import type { StoreStates } from '../store-states';
import { isFields, parseObject } from '../read-json';

/** Answers the call that replaces the days with hours of their own, or the one that reads them. */
export function answerHolidayHours(call: AppCall, storeId: string, stores: StoreStates): AppAnswer {
  if (call.method === 'GET') return jsonAnswer(200, { holiday_hours: wireOf(stores, storeId) });
  const days = readDays(call.body);
  if (!days) {
    const message = 'Invalid Request: holiday_hours';
    return jsonAnswer(400, { code: 'invalid_request', message });
  }
  stores.setSpecialDays(storeId, days);
  return { status: 200 };
}

/** Undefined: a rule is broken. */
function readDays(body: Buffer): readonly ShownDay[] | undefined {
  const hours = parseObject(body)?.['holiday_hours'];
  if (!isFields(hours)) return undefined;
  const days = Object.entries(hours).map(([date, day]) => {
    const periods = readPeriods(isFields(day) ? day['open_time_periods'] : undefined);
    return isDay(date) && periods ? { date, periods, name: null } : undefined;
  });
  return days.every((day) => day !== undefined) ? days : undefined;
}

/** A day is closed from midnight to midnight, and then has no other hours. */
function readPeriods(value: unknown): readonly ShownPeriod[] | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const periods = value.map((period: unknown) => {
    const { start_time: start, end_time: end } = isFields(period) ? period : {};
    return { start: String(start), end: String(end) };
  });
  const isClosed =
    periods.length === 1 && periods[0]?.start === '00:00' && periods[0].end === '00:00';
  if (isClosed) return [];
  return areHours(periods) ? periods : undefined;
}

function wireOf(stores: StoreStates, storeId: string) {
  const days = stores.shown(storeId).specialDays.map(({ date, periods }) => {
    const open = periods.map(({ start, end }) => ({ start_time: start, end_time: end }));
    const closed = [{ start_time: '00:00', end_time: '00:00' }];
    return [date, { open_time_periods: open.length > 0 ? open : closed }] as const;
  });
  return Object.fromEntries(days);
}
