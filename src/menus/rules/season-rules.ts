import { put, rule, type MenuRule } from './rule';

const FROM = '/items/*/visible_from';
const UNTIL = '/items/*/visible_until';

/** The rules of one end of a season, a day of the calendar. */
export interface DayRules {
  readonly notString: MenuRule;
  readonly invalid: MenuRule;
}

function dayRules(where: string, words: string): DayRules {
  const subject = `The item ${words}`;
  return {
    notString: rule('not_string', where, `${subject} must be a string.`, put(where, 20_261_201)),
    invalid: rule(
      'invalid_format',
      where,
      `${subject} does not have a valid format.`,
      put(where, '2026-02-30'),
    ),
  };
}

/** The days on which an item is on sale. */
export const SEASON_RULES = {
  from: dayRules(FROM, 'visible from'),
  until: dayRules(UNTIL, 'visible until'),
  untilBeforeFrom: rule(
    'below_minimum',
    UNTIL,
    'The item visible until must not be before the visible from.',
    put(FROM, '2026-12-01'),
    put(UNTIL, '2026-11-30'),
  ),
} as const;
