import { dayAfter, dayInZone, startOfDay } from '../../src/platform/text/time-zone';

const at = (text: string) => new Date(text);
const start = (day: string, timeZone: string) => startOfDay(day, timeZone).toISOString();

test('the day of a moment is that of the calendars in the zone, through midnight', () => {
  expect(dayInZone(at('2026-12-25T05:59:59.999Z'), 'America/Mexico_City')).toBe('2026-12-24');
  expect(dayInZone(at('2026-12-25T06:00:00.000Z'), 'America/Mexico_City')).toBe('2026-12-25');
  expect(dayInZone(at('2026-12-24T22:59:59.999Z'), 'Europe/Madrid')).toBe('2026-12-24');
  expect(dayInZone(at('2026-12-24T23:00:00.000Z'), 'Europe/Madrid')).toBe('2026-12-25');
  expect(dayInZone(at('2026-12-25T02:59:59.999Z'), 'America/Santiago')).toBe('2026-12-24');
  expect(dayInZone(at('2026-12-25T03:00:00.000Z'), 'America/Santiago')).toBe('2026-12-25');
});

test('a day begins at midnight in the zone, also beside a change of clocks', () => {
  expect(start('2026-12-25', 'America/Mexico_City')).toBe('2026-12-25T06:00:00.000Z');
  // The clocks change at 02:00 and 03:00: the days of 29 March and 25 October have 23 and 25 hours.
  expect(start('2026-03-29', 'Europe/Madrid')).toBe('2026-03-28T23:00:00.000Z');
  expect(start('2026-03-30', 'Europe/Madrid')).toBe('2026-03-29T22:00:00.000Z');
  expect(start('2026-10-25', 'Europe/Madrid')).toBe('2026-10-24T22:00:00.000Z');
  expect(start('2026-10-26', 'Europe/Madrid')).toBe('2026-10-25T23:00:00.000Z');
});

test('a day whose midnight the clocks skip begins at one o’clock', () => {
  // 6 September 2026 in Chile: 23:59:59 is followed by 01:00:00.
  expect(start('2026-09-06', 'America/Santiago')).toBe('2026-09-06T04:00:00.000Z');
  expect(dayInZone(at('2026-09-06T03:59:59.999Z'), 'America/Santiago')).toBe('2026-09-05');
  expect(start('2026-09-07', 'America/Santiago')).toBe('2026-09-07T03:00:00.000Z');
  expect(start('2018-11-04', 'America/Sao_Paulo')).toBe('2018-11-04T03:00:00.000Z');
});

test('a midnight that the clocks show twice begins the day once', () => {
  // 5 April 2026 in Chile: at 24:00 the clocks show 23:00 of 4 April again.
  expect(start('2026-04-05', 'America/Santiago')).toBe('2026-04-05T04:00:00.000Z');
  expect(dayInZone(at('2026-04-05T03:30:00.000Z'), 'America/Santiago')).toBe('2026-04-04');
  // In Havana 01:00 is followed by 00:00 of the same day, which begins with the first of the two.
  expect(start('2026-11-01', 'America/Havana')).toBe('2026-11-01T04:00:00.000Z');
});

test('a day that a zone never had begins with the next one', () => {
  expect(start('2011-12-30', 'Pacific/Apia')).toBe(start('2011-12-31', 'Pacific/Apia'));
});

test('the next day is that of the calendar', () => {
  expect(dayAfter('2028-02-28')).toBe('2028-02-29');
  expect(dayAfter('2026-12-31')).toBe('2027-01-01');
});

test.each(['America/Mexico_City', 'America/Santiago', 'Europe/Madrid', 'Asia/Kathmandu'])(
  'in %s the first moment of each day of two years is of that day, and the one before is not',
  (timeZone) => {
    for (let day = '2026-01-01'; day < '2028-01-01'; day = dayAfter(day)) {
      const first = startOfDay(day, timeZone);
      expect(dayInZone(first, timeZone)).toBe(day);
      expect(dayInZone(new Date(first.getTime() - 1), timeZone) < day).toBe(true);
    }
  },
);
