import {
  daysFrom,
  daysToTell,
  findDayProblems,
  nextLook,
  toStoredDays,
} from '../../src/availability/special-days';

const TODAY = '2026-11-28';
const OPEN = [{ start: '10:00', end: '15:00' }];
const problems = (days: Parameters<typeof findDayProblems>[0], today: string | null = TODAY) =>
  findDayProblems(days, today).map(({ pointer, detail }) => `${pointer} ${detail}`);

test.each(['2026-11-28', '2026-12-31', '2027-11-28'])('%s may be a special day', (date) => {
  expect(problems([{ date, closed: true }])).toEqual([]);
});

test.each(['2026-11-27', '2027-11-29'])('%s is over, or too far ahead', (date) => {
  expect(problems([{ date, closed: true }])).toEqual([
    '/days/0/date The selected date is invalid.',
  ]);
  expect(problems([{ date, closed: true }], null)).toEqual([]);
});

test('a year behind 29 February ends with 28 February', () => {
  expect(problems([{ date: '2029-02-28', closed: true }], '2028-02-29')).toEqual([]);
  expect(problems([{ date: '2029-03-01', closed: true }], '2028-02-29')).toHaveLength(1);
});

test('each date once, and closed or with periods', () => {
  expect(
    problems([
      { date: TODAY, periods: OPEN },
      { date: TODAY, closed: true },
      { date: '2026-12-01' },
      { date: '2026-12-02', closed: false, periods: [] },
      { date: '2026-12-03', closed: true, periods: OPEN },
      { date: '2026-12-04', closed: null, periods: OPEN },
    ]),
  ).toEqual([
    '/days/1/date The selected date is invalid.',
    '/days/2/periods The periods field is required.',
    '/days/3/periods The periods field is required.',
    '/days/4/closed The selected closed is invalid.',
  ]);
});

test.each([
  [[{ start: '15:00', end: '15:00' }]],
  [[{ start: '18:00', end: '02:00' }]],
  [
    [
      { start: '14:00', end: '18:00' },
      { start: '10:00', end: '14:01' },
    ],
  ],
  [
    [
      { start: '10:00', end: '18:00' },
      { start: '10:00', end: '11:00' },
    ],
  ],
])('%j end too early or collide', (periods) => {
  expect(problems([{ date: TODAY, periods }])).toEqual([
    '/days/0/periods The selected periods is invalid.',
  ]);
});

test('periods may follow one another in any order', () => {
  const periods = [{ start: '15:00', end: '23:59' }, ...OPEN];
  expect(problems([{ date: TODAY, periods }])).toEqual([]);
});

test('days are kept as they were sent, without what says nothing', () => {
  expect(
    toStoredDays([
      { date: TODAY, closed: false, periods: OPEN, name: null },
      { date: '2026-12-25', closed: true, periods: null, name: 'Christmas' },
    ]),
  ).toEqual([
    { date: TODAY, periods: OPEN },
    { date: '2026-12-25', closed: true, name: 'Christmas' },
  ]);
});

const stored = (...dates: readonly string[]) =>
  dates.map((date) => ({ date, closed: true as const }));

test('today is not over', () => {
  expect(daysFrom(stored('2026-11-27', TODAY, '2026-12-01'), TODAY)).toEqual(
    stored(TODAY, '2026-12-01'),
  );
});

test('an app without years gets this day of next year when today is over', () => {
  const days = stored(TODAY, '2027-11-28', '2027-02-01');
  const told = (daysHaveNoYear: boolean, today = TODAY) =>
    daysToTell(days, today, { daysHaveNoYear }).map(({ date }) => date);
  expect(told(false)).toEqual([TODAY, '2027-11-28', '2027-02-01']);
  expect(told(true)).toEqual([TODAY, '2027-02-01']);
  expect(told(true, '2026-11-29')).toEqual(['2027-11-28', '2027-02-01']);
});

test.each([
  ['America/Mexico_City', '2026-12-02T06:00:00.000Z'],
  ['America/Santiago', '2026-12-02T03:00:00.000Z'],
  ['Europe/Madrid', '2026-12-01T23:00:00.000Z'],
])('in %s the days are looked at again when the first of them is over', (timeZone, end) => {
  const look = (...dates: readonly string[]) => nextLook(stored(...dates), TODAY, timeZone);
  expect(look('2026-12-24', '2026-12-01')?.toISOString()).toBe(end);
  expect(look('2026-11-01')).toBeNull();
  expect(look()).toBeNull();
});

test('this day of next year is looked at when today is over', () => {
  const look = nextLook(stored('2027-11-28'), TODAY, 'Europe/Madrid');
  expect(look?.toISOString()).toBe('2026-11-28T23:00:00.000Z');
});
