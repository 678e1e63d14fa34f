import { array, isObject, object, type Check } from './check-shape';

const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
const TIME = /^([01]\d|2[0-3]):[0-5]\d$/;

const time: Check = (value, path, report) => {
  if (typeof value !== 'string') return report('wrong_type', path, 'must be a string');
  if (!TIME.test(value)) report('invalid_time', path, 'must be a time from 00:00 to 23:59');
};

const weekday: Check = (value, path, report) => {
  if (typeof value !== 'boolean') return report('wrong_type', path, 'must be true');
  if (!value) report('weekdays_not_all', path, 'must be true: a window holds all week');
};

interface Window {
  readonly start: string;
  readonly end: string;
}

/** `hh:mm` compares as text. undefined for anything that is not two valid times. */
function windowOf(shift: unknown): Window | undefined {
  if (!isObject(shift)) return undefined;
  const { start_time: start, end_time: end } = shift;
  const valid =
    typeof start === 'string' && typeof end === 'string' && TIME.test(start) && TIME.test(end);
  return valid ? { start, end } : undefined;
}

const ordered: Check = (value, path, report) => {
  const window = windowOf(value);
  if (window && window.end <= window.start) {
    report('window_order', path, `must end after it starts: ${window.start}-${window.end}`);
  }
};

const notEmpty: Check = (value, path, report) => {
  if (Array.isArray(value) && value.length === 0) report('no_shifts', path, 'must not be empty');
};

/** Windows that touch at the same minute do not overlap. */
const apart: Check = (value, path, report) => {
  const shifts = Array.isArray(value) ? value : [];
  const windows = shifts
    .flatMap((shift, index) => ({ index, window: windowOf(shift) }))
    .flatMap(({ index, window }) =>
      window && window.start < window.end ? { index, ...window } : [],
    )
    .toSorted((one, other) => (one.start < other.start ? -1 : 1));
  let latestEnd = '';
  for (const { index, start, end } of windows) {
    if (start < latestEnd) {
      report('windows_overlap', `${path}/${index}`, 'must not overlap another window');
    }
    if (end > latestEnd) latestEnd = end;
  }
};

const shift = object(
  {
    required: {
      start_time: time,
      end_time: time,
      ...Object.fromEntries(WEEKDAYS.map((day) => [day, weekday])),
    },
  },
  ordered,
);

export const shifts: Check = array(shift, notEmpty, apart);
