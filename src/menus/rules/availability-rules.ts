import { put, rule, type Change, type MenuRule } from './rule';

const AVAILABLE = '/items/*/available';
const UNTIL = '/items/*/unavailable_until';

function until(code: MenuRule['code'], words: string, value: unknown): MenuRule {
  const example: Change[] = [put(AVAILABLE, false), put(UNTIL, value)];
  return rule(code, UNTIL, `The item unavailable until must ${words}.`, ...example);
}

/** Whether an item is off sale from its first minute, and until when. */
export const AVAILABILITY_RULES = {
  notBoolean: rule(
    'not_boolean',
    AVAILABLE,
    'The item available mark must be a boolean.',
    put(AVAILABLE, 'no'),
  ),
  untilNotString: until('not_string', 'be a string', 1_764_324_000),
  untilInvalid: rule(
    'invalid_format',
    UNTIL,
    'The item unavailable until does not have a valid format.',
    put(AVAILABLE, false),
    put(UNTIL, '2026-11-28 10:00'),
  ),
  untilNotAllowed: rule(
    'not_allowed',
    UNTIL,
    'The item unavailable until must be sent with available false only.',
    put(AVAILABLE, true),
    put(UNTIL, '2026-11-28T10:00:00+01:00'),
  ),
  untilPassed: until('not_in_future', 'be in the future', '2020-11-28T10:00:00+01:00'),
  untilTooFar: until('too_far', 'be within a year', '2999-11-28T10:00:00+01:00'),
} as const;
