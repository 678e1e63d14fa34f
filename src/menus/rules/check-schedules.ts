import { DAYS_OF_WEEK } from '../menu';
import { checkList, isAbsent } from './check-values';
import type { MenuRule } from './rule';
import type { ScheduleRules, TimeRules } from './schedule-rules';
import { isObject, report, type Walk } from './walk';

const MINUTES_OF_DAY = 24 * 60;
const WORDS_OF_DAY = MINUTES_OF_DAY / 32;
const DAY_INDEX: ReadonlyMap<unknown, number> = new Map(
  DAYS_OF_WEEK.map((day, index) => [day, index]),
);

/**
 * One bit per minute of a week. All schedules of a day are checked for collisions together, and a body can hold
 * 300,000 periods: marking its minutes takes at most 45 steps for each, where comparing pairs would take hours.
 */
type TakenMinutes = Uint32Array;

/** The schedules of the menu or item `walk.i`. */
export function checkSchedules(
  walk: Walk,
  schedules: readonly unknown[],
  rules: ScheduleRules,
): void {
  if (schedules.length === 0) return;
  const taken: TakenMinutes = new Uint32Array(DAYS_OF_WEEK.length * WORDS_OF_DAY);
  for (walk.j = 0; walk.j < schedules.length; walk.j++) {
    checkSchedule(walk, schedules[walk.j], rules, taken);
  }
}

function checkSchedule(
  walk: Walk,
  schedule: unknown,
  rules: ScheduleRules,
  taken: TakenMinutes,
): void {
  if (!isObject(schedule)) return report(walk, rules.notObject);
  const day = checkDay(walk, schedule['day_of_week'], rules);
  const periods = checkList(walk, schedule['periods'], rules.periods, false);
  let firstCollision = -1;
  for (walk.k = 0; walk.k < periods.length; walk.k++) {
    const period = checkPeriod(walk, periods[walk.k], rules);
    if (period === undefined || day === undefined) continue;
    const collides = take(taken, day * WORDS_OF_DAY, period.start, period.end);
    if (collides && firstCollision < 0) firstCollision = walk.k;
  }
  if (firstCollision < 0) return;
  walk.k = firstCollision;
  report(walk, rules.collision);
}

function checkDay(walk: Walk, day: unknown, rules: ScheduleRules): number | undefined {
  const index = DAY_INDEX.get(day);
  if (index !== undefined) return index;
  if (isAbsent(day)) report(walk, rules.dayRequired);
  else if (typeof day !== 'string') report(walk, rules.dayNotString);
  else report(walk, rules.dayUnknown, day);
  return undefined;
}

/** The period in minutes of the day, if it is valid. */
function checkPeriod(
  walk: Walk,
  period: unknown,
  rules: ScheduleRules,
): { readonly start: number; readonly end: number } | undefined {
  if (!isObject(period)) {
    report(walk, rules.periodNotObject);
    return undefined;
  }
  const start = minuteOfDay(period['start']);
  const end = minuteOfDay(period['end']);
  if (start < 0 || end < 0) {
    reportTimes(walk, start, end, rules);
    return undefined;
  }
  if (start < end) return { start, end };
  report(
    walk,
    rules.notBeforeEnd,
    `start(${String(period['start'])}) - end(${String(period['end'])})`,
  );
  return undefined;
}

const ABSENT = -3;
const NOT_STRING = -2;
const INVALID = -1;

/**
 * Minutes since midnight of `hh:mm`; otherwise one of the three numbers above, the lowest for the first failing
 * check.
 */
function minuteOfDay(time: unknown): number {
  if (isAbsent(time)) return ABSENT;
  if (typeof time !== 'string') return NOT_STRING;
  if (time.length !== 5 || time.charCodeAt(2) !== 58) return INVALID;
  const hours = twoDigits(time, 0);
  const minutes = twoDigits(time, 3);
  return hours < 0 || hours > 23 || minutes < 0 || minutes > 59 ? INVALID : hours * 60 + minutes;
}

function twoDigits(text: string, at: number): number {
  const tens = text.charCodeAt(at) - 48;
  const ones = text.charCodeAt(at + 1) - 48;
  return tens < 0 || tens > 9 || ones < 0 || ones > 9 ? -1 : tens * 10 + ones;
}

/** Absent times are reported before a wrong type, and that before a wrong format, in the order of the messages. */
function reportTimes(walk: Walk, start: number, end: number, rules: ScheduleRules): void {
  const startRule = brokenRule(start, rules.start);
  const endRule = brokenRule(end, rules.end);
  const [first, second] = start <= end ? [startRule, endRule] : [endRule, startRule];
  if (first !== undefined) report(walk, first);
  if (second !== undefined) report(walk, second);
}

function brokenRule(minute: number, rules: TimeRules): MenuRule | undefined {
  switch (minute) {
    case ABSENT:
      return rules.required;
    case NOT_STRING:
      return rules.notString;
    case INVALID:
      return rules.invalid;
    default:
      return undefined;
  }
}

/**
 * Marks the minutes from `start` up to `end`, exclusive, so that adjacent periods do not collide; true if one was
 * already marked.
 */
function take(taken: TakenMinutes, firstWord: number, start: number, end: number): boolean {
  const lastMinute = end - 1;
  const lastWord = lastMinute >> 5;
  let collides = false;
  for (let word = start >> 5; word <= lastWord; word++) {
    let mask = -1;
    if (word === start >> 5) mask &= -1 << (start & 31);
    if (word === lastWord) mask &= -1 >>> (31 - (lastMinute & 31));
    const before = taken[firstWord + word] ?? 0;
    if ((before & mask) !== 0) collides = true;
    taken[firstWord + word] = before | mask;
  }
  return collides;
}
