import type { ListRules } from './menu-sentences';
import { put, rule, type Change, type MenuRule } from './rule';

/** The rules for schedules of a menu or of an item; the sentences differ only in that word. */
export interface ScheduleRules {
  readonly notObject: MenuRule;
  readonly dayRequired: MenuRule;
  readonly dayNotString: MenuRule;
  readonly dayUnknown: MenuRule;
  readonly periods: ListRules;
  readonly periodNotObject: MenuRule;
  readonly start: TimeRules;
  readonly end: TimeRules;
  readonly notBeforeEnd: MenuRule;
  readonly collision: MenuRule;
}

export interface TimeRules {
  readonly required: MenuRule;
  readonly notString: MenuRule;
  readonly invalid: MenuRule;
}

export function scheduleRules(owner: 'menu' | 'item'): ScheduleRules {
  const schedules = `/${owner}s/*/schedules`;
  const schedule = `${schedules}/*`;
  const day = `${schedule}/day_of_week`;
  const periods = `${schedule}/periods`;
  const subject = `The ${owner} schedule`;
  const dayOf = `The day of the week of this ${owner} schedule`;
  // The examples replace all schedules, because an item need not have any.
  const week = (only: object): Change => put(schedules, [only]);
  const monday = (...of: readonly unknown[]): Change =>
    week({ day_of_week: 'monday', periods: of });
  const onDay = (day_of_week: unknown): Change =>
    week({ day_of_week, periods: [{ start: '09:00', end: '18:00' }] });

  return {
    notObject: rule(
      'not_object',
      schedule,
      `${subject} must be an object.`,
      put(schedules, ['none']),
    ),
    dayRequired: rule('required', day, `${subject} must have a day of week.`, onDay('')),
    dayNotString: rule('not_string', day, `${dayOf} must be a string.`, onDay(1)),
    dayUnknown: rule('unknown_day', day, `${dayOf} is not valid: VALUE`, onDay('Funday')),
    periods: {
      required: rule('required', periods, `${subject} must have periods.`, monday()),
      notArray: rule(
        'not_array',
        periods,
        `${subject} periods must be an array.`,
        week({ day_of_week: 'monday', periods: '09:00-18:00' }),
      ),
    },
    periodNotObject: rule(
      'not_object',
      `${periods}/*`,
      `${subject} period must be an object.`,
      monday('09:00-18:00'),
    ),
    start: timeRules(subject, periods, 'start', (start) => monday({ start, end: '18:00' })),
    end: timeRules(subject, periods, 'end', (end) => monday({ start: '09:00', end })),
    notBeforeEnd: rule(
      'not_before_end',
      `${periods}/*/start`,
      `${subject} period start time must be before the end time, VALUE`,
      monday({ start: '18:00', end: '09:00' }),
    ),
    collision: rule(
      'collision',
      `${periods}/*`,
      `Collisions were found between the periods defined for the ${owner} schedule.`,
      monday({ start: '09:00', end: '13:00' }, { start: '12:00', end: '18:00' }),
    ),
  };
}

function timeRules(
  subject: string,
  periods: string,
  edge: 'start' | 'end',
  example: (time: unknown) => Change,
): TimeRules {
  const where = `${periods}/*/${edge}`;
  const of = `${subject} period ${edge} time`;
  const article = edge === 'end' ? 'an' : 'a';
  return {
    required: rule(
      'required',
      where,
      `${subject} period must have ${article} ${edge} time.`,
      example(null),
    ),
    notString: rule('not_string', where, `${of} must be a string.`, example(900)),
    invalid: rule('invalid_time', where, `${of} does not have a valid format.`, example('24:00')),
  };
}
