import type { AppAnswer, AppCall } from '../app-simulator';
import { areHours, isDay, type ShownDay } from '../special-days';
import { isJsonObject, type Json } from './menu-checks';
import type { SwitchParts } from './switch-items';

const PARAMETER_ERRNO = 10002;
const FIELDS: ReadonlySet<string> = new Set(['auth_token', 'biz_holiday_time']);

/**
 * Answers the call that changes fields of a shop, of which we have the holidays only: they replace all earlier ones. It
 * says for each field whether it was taken, beside errno 0. A list without a day is not known to it.
 */
export function answerShopUpdate(
  call: AppCall,
  body: Json,
  shopId: string,
  { stores, answers }: Pick<SwitchParts, 'stores' | 'answers'>,
): AppAnswer {
  const days = readDays(body['biz_holiday_time']);
  if (!days || Object.keys(body).some((field) => !FIELDS.has(field))) {
    return answers.error(PARAMETER_ERRNO, 'parameter error');
  }
  const isTaken = call.fault?.kind !== 'days_refused';
  if (isTaken) stores.setSpecialDays(shopId, days);
  return answers.ok(JSON.stringify({ biz_holiday_time: isTaken }));
}

/** Undefined: a rule is broken. */
function readDays(value: unknown): readonly ShownDay[] | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const days = value.map(readDay);
  const isRight = days.every(
    (day, at) => day && !days.slice(0, at).some((earlier) => earlier?.date === day.date),
  );
  return isRight ? days.flatMap((day) => day ?? []) : undefined;
}

/** A day of rest has no times, any other at least one. */
function readDay(value: unknown): ShownDay | undefined {
  if (!isJsonObject(value)) return undefined;
  const { bizHoliday: date, restAllDay: rests, bizTime: times } = value;
  if (!isDay(date) || typeof rests !== 'boolean' || !Array.isArray(times)) return undefined;
  const periods = times.map((time: unknown) => {
    const { begin, end } = isJsonObject(time) ? time : {};
    return { start: String(begin), end: String(end) };
  });
  const isRight = rests ? periods.length === 0 : periods.length > 0 && areHours(periods);
  return isRight ? { date, periods, name: null } : undefined;
}
