import type { Json } from '../app-c/menu-checks';
import { isJsonObject } from '../app-c/menu-checks';
import { type AppAnswer, type AppCall, jsonAnswer } from '../app-simulator';
import { areHours, isDay, type ShownDay } from '../special-days';
import type { StoreStates } from '../store-states';

/** Days of one store, by the app's own number of it; below it a day by its id. */
export const SPECIAL_PATH = /^\/api\/rest-ops-utils\/store\/schedule\/(\d+)\/special(?:\/(\d+))?$/;

/** A leap year, so that 29 February is a day. */
const ANY_YEAR = '2028';

/** Answers the calls about the days of a store with hours of their own: all of them, one more, one less. */
export function answerSpecialDays(
  call: AppCall,
  body: Json | undefined,
  storeId: string,
  stores: StoreStates,
): AppAnswer {
  const days = stores.shown(storeId).specialDays;
  if (call.method === 'GET') return jsonAnswer(200, days.map(toWire));
  if (call.method === 'POST') {
    const day = readDay(body);
    if (!day) return jsonAnswer(422, { message: 'Unprocessable entity' });
    if (days.some(({ date }) => date === day.date)) {
      return jsonAnswer(400, { message: 'There is a special schedule for this day' });
    }
    const id = 1 + Math.max(0, ...days.map((each) => each.id ?? 0));
    const made = { ...day, id };
    stores.setSpecialDays(storeId, [...days, made]);
    return jsonAnswer(200, toWire(made));
  }
  const id = Number(SPECIAL_PATH.exec(call.path)?.[2]);
  if (!days.some((day) => day.id === id)) return jsonAnswer(404, { message: 'Not found' });
  stores.setSpecialDays(
    storeId,
    days.filter((day) => day.id !== id),
  );
  return jsonAnswer(200, { message: 'Deleted' });
}

function readDay(body: Json | undefined): Omit<ShownDay, 'id'> | undefined {
  const { day, month, name, schedules, ...others } = body ?? {};
  const date = `${twoDigits(month)}-${twoDigits(day)}`;
  const isNamed = typeof name === 'string' && name !== '';
  if (!isDay(`${ANY_YEAR}-${date}`) || !isNamed || !Array.isArray(schedules)) return undefined;
  if (Object.keys(others).length > 0) return undefined;
  const periods = schedules.map((schedule: unknown) => {
    const { startsTime, endsTime } = isJsonObject(schedule) ? schedule : {};
    return { start: withoutSeconds(startsTime), end: withoutSeconds(endsTime) };
  });
  return areHours(periods) ? { date, periods, name } : undefined;
}

function toWire({ id, date, periods, name }: ShownDay) {
  const [month, day] = date.split('-').map(Number);
  const schedules = periods.map(({ start, end }) => ({
    startsTime: `${start}:00`,
    endsTime: `${end}:00`,
  }));
  return { id, day, month, name, schedules };
}

function twoDigits(value: unknown): string {
  return typeof value === 'number' ? String(value).padStart(2, '0') : '';
}

/** `HH:mm:ss`, as the app wants it; anything else is no time. */
function withoutSeconds(value: unknown): string {
  return (typeof value === 'string' && /^(\d\d:\d\d):00$/.exec(value)?.[1]) || '';
}
