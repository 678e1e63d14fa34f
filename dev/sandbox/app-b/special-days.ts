import { isLonger } from '../../../src/platform/text/is-longer';
import { type AppAnswer, type AppCall, jsonAnswer } from '../app-simulator';
import { areHours, isDay, type ShownDay } from '../special-days';
import type { StoreStates } from '../store-states';
import { isObject } from './check-shape';
import { parseObject } from '../read-json';

const MOST_DAYS = 100;
const LONGEST_NAME = 50;

/** Answers the call that replaces the days of a merchant with hours of their own. */
export function answerSpecialDays(
  call: AppCall,
  merchantId: string,
  stores: StoreStates,
): AppAnswer {
  const days = parseObject(call.body)?.['days'];
  if (!Array.isArray(days)) return invalid('missing_field', '/days');
  if (days.length > MOST_DAYS) return invalid('too_many_days', '/days');
  const read = days.map(readDay);
  const wrong = read.findIndex(
    (day, at) => !day || read.slice(0, at).some((earlier) => earlier?.date === day.date),
  );
  if (wrong >= 0) return invalid('wrong_day', `/days/${wrong}`);
  stores.setSpecialDays(
    merchantId,
    read.flatMap((day) => day ?? []),
  );
  return { status: 204 };
}

/** Closed, or open in some periods, but not both. Undefined: a rule is broken. */
function readDay(value: unknown): ShownDay | undefined {
  if (!isObject(value)) return undefined;
  const { date, closed, periods, name = null, ...others } = value;
  const isNamed = name === null || (typeof name === 'string' && !isLonger(name, LONGEST_NAME));
  if (!isDay(date) || !isNamed || Object.keys(others).length > 0) return undefined;
  if (closed === true && periods === undefined) return { date, periods: [], name };
  if (closed !== undefined || !Array.isArray(periods) || periods.length === 0) return undefined;
  const hours = periods.map((period) => {
    const { start, end } = isObject(period) ? period : {};
    return { start: String(start), end: String(end) };
  });
  return areHours(hours) ? { date, periods: hours, name } : undefined;
}

function invalid(code: string, path: string): AppAnswer {
  return jsonAnswer(400, { errors: [{ code, path, message: 'is not right' }] });
}
