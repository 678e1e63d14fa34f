import { momentOf } from '../../src/availability/settle-movements';
import { isTimeZone } from '../../src/platform/text/time-zone';

const read = (date: string, timeZone: string | null = null) =>
  momentOf(date, timeZone)?.toISOString() ?? null;

test('a date-time with an offset names its moment, whatever the zone of the store', () => {
  expect(read('2026-11-28T09:30:00-06:00', 'Asia/Tokyo')).toBe('2026-11-28T15:30:00.000Z');
  expect(read('2016-12-31T23:59:60Z')).toBe('2016-12-31T23:59:59.000Z');
});

test('a date-time without an offset is read in the zone of the store, and names no moment without one', () => {
  expect(read('2026-11-28T09:30:00', 'America/Mexico_City')).toBe('2026-11-28T15:30:00.000Z');
  expect(read('2026-11-28T09:30:00.250', 'Asia/Kathmandu')).toBe('2026-11-28T03:45:00.250Z');
  expect(read('2026-11-28T09:30', 'UTC')).toBe('2026-11-28T09:30:00.000Z');
  expect(read('2026-11-28T09:30:00')).toBeNull();
});

test('a date alone names no moment', () => {
  expect(read('2026-11-28')).toBeNull();
  expect(read('2026-11-28', 'America/Mexico_City')).toBeNull();
});

test('a local time that the change of clocks skips or repeats names no moment', () => {
  expect(read('2026-03-29T02:30:00', 'Europe/Madrid')).toBeNull();
  expect(read('2026-10-25T02:30:00', 'Europe/Madrid')).toBeNull();
  expect(read('2026-10-25T01:59:59', 'Europe/Madrid')).toBe('2026-10-24T23:59:59.000Z');
  expect(read('2026-10-25T03:00:00', 'Europe/Madrid')).toBe('2026-10-25T02:00:00.000Z');
  expect(read('2026-03-29T03:00:00', 'Europe/Madrid')).toBe('2026-03-29T01:00:00.000Z');
});

test('no year is too far', () => {
  expect(read('9999-12-31T23:59:59', 'America/Mexico_City')).toMatch(/^\+010000-01-01T05:59:59/);
  expect(read('0000-01-01T00:00:00', 'America/Mexico_City')).toBeNull();
});

test.each([
  ['America/Mexico_City', true],
  ['UTC', true],
  ['Mars/Olympus', false],
  ['+05:00', false],
  ['', false],
  ['Europe/Madrid ', false],
])('%p is a time zone: %p', (text, expected) => {
  expect(isTimeZone(text)).toBe(expected);
});
