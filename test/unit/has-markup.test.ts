import { hasMarkup } from '../../src/platform/text/has-markup';
import {
  REFERENCE_NAMES,
  UNENDED_REFERENCE_NAMES,
} from '../../src/platform/text/character-references';

test.each([
  'Fish &amp; Chips',
  '<p>Fresh <b>cod</b></p>',
  'a<br/>b',
  'a<BR>b',
  '</b>',
  '<a href="https://x.example">menu</a>',
  '&#8377; 100',
  '&#x20B9; 100',
  'Fish &amp Chips',
  'Jalape&ntilde;o',
  '&CounterClockwiseContourIntegral;',
])('%j has markup', (text) => {
  expect(hasMarkup(text)).toBe(true);
});

test.each([
  'Mac & Cheese',
  'AT&T',
  'Salt&pepper;',
  'R&notable; B',
  'Surf&section',
  'I <3 pizza',
  'a < b > c',
  '<',
  '&',
  '&;',
  '&#;',
  '&#x;',
  '5 <= 6',
  '<-- new',
  '&AMPERSAND;',
  '',
])('%j has none', (text) => {
  expect(hasMarkup(text)).toBe(false);
});

test('the names are those of the HTML standard', () => {
  expect([REFERENCE_NAMES.size, UNENDED_REFERENCE_NAMES.size]).toEqual([2_125, 106]);
  expect([...UNENDED_REFERENCE_NAMES].every((name) => REFERENCE_NAMES.has(name))).toBe(true);
  const odd = [...REFERENCE_NAMES].filter((name) => !/^[A-Za-z][A-Za-z\d]*$/.test(name));
  expect(odd).toEqual([]);
});

test.each(['<a', '&a', '&#1', '<<<a<'])('a text of many %j is read in linear time', (part) => {
  const startedAt = process.cpuUsage();
  hasMarkup(part.repeat(200_000));
  expect(process.cpuUsage(startedAt).user / 1_000).toBeLessThan(1_000);
});
