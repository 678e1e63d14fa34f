import type { Random } from './random';

/** A value written as JSON text: some of them no `JSON.stringify` would write. */
export type JsonText = string;

/** Most are dates that a POS may send. */
export const DATES: readonly string[] = [
  '0000-01-01',
  '0001-01-01T00:00:00+01:00',
  '2016-12-31T23:59:60Z',
  '2026-02-30',
  '2026-11-22T24:00:00Z',
  '9999-12-31T23:59:59+23:59',
  '9999-12-31T23:59:59-05:00',
];

const TEXTS: readonly string[] = [
  '',
  ' ',
  '\n\t',
  '0',
  '1',
  '-1',
  '1.5',
  '1e3',
  '999999999999999999999',
  'null',
  'true',
  'constructor',
  '__proto__',
  'toString',
  "'; drop table store; --",
  '$1',
  '%',
  '\\',
  '../..',
  '{}',
  '[]',
  '<script>alert(1)</script>',
  'İıſK',
  '\u202eabc\u202c',
  'e\u0301',
  '\ufeff',
  '\u2028',
  '👩‍👩‍👧‍👦',
  '\ud83c\udf55'.repeat(50),
  ...DATES,
  'http://127.0.0.1:9/hook',
  'https://[::1]/',
  'http://user:password@127.0.0.1/',
  'javascript:alert(1)',
  'file:///etc/passwd',
  'x'.repeat(255),
  'x'.repeat(256),
  'é'.repeat(2_048),
  'x'.repeat(5_000),
];

const SCALARS: readonly JsonText[] = [
  'null',
  'true',
  'false',
  '0',
  '-0',
  '1',
  '-1',
  '0.1',
  '1e999',
  '-1e999',
  '1e-999',
  '1E400',
  '9007199254740993',
  '123456789012345678901234567890',
  '0.00000000000000000000000000001',
  String.raw`"\u0000"`,
  String.raw`"\ud83c"`,
  String.raw`"\udf55\ud83c"`,
  String.raw`"\u0041\/\b"`,
];

const KEYS: readonly string[] = [
  '__proto__',
  'constructor',
  'prototype',
  'length',
  'toJSON',
  '',
  'a',
];

export function nastyText(random: Random): string {
  if (!random.once(4)) return random.pick(TEXTS);
  const count = random.below(20);
  return Array.from({ length: count }, () => String.fromCodePoint(codePoint(random))).join('');
}

/** Any but a surrogate, which no text can have alone; from ASCII half of the time. */
function codePoint(random: Random): number {
  if (random.once(2)) return random.below(0x80);
  const point = random.below(0x10_f7ff);
  return point < 0xd800 ? point : point + 0x800;
}

export function nastyJson(random: Random, depth = 0): JsonText {
  switch (random.below(depth > 3 ? 2 : 6)) {
    case 0:
      return random.pick(SCALARS);
    case 1:
    case 2:
      return JSON.stringify(nastyText(random));
    case 3:
      return `[${nastyList(random, depth)}]`;
    case 4:
      return `{${nastyMembers(random, depth)}}`;
    default:
      return random.once(20) ? veryDeep(random) : random.pick(SCALARS);
  }
}

function nastyList(random: Random, depth: number): string {
  const count = random.once(50) ? 3_000 : random.below(5);
  if (count > 100) return Array.from({ length: count }, () => random.pick(SCALARS)).join();
  return Array.from({ length: count }, () => nastyJson(random, depth + 1)).join();
}

function nastyMembers(random: Random, depth: number): string {
  const count = random.below(5);
  const member = () =>
    `${JSON.stringify(random.once(2) ? random.pick(KEYS) : nastyText(random))}:${nastyJson(random, depth + 1)}`;
  return Array.from({ length: count }, member).join();
}

function veryDeep(random: Random): JsonText {
  const depth = random.pick([62, 63, 64, 65, 2_000]);
  return random.once(2)
    ? '['.repeat(depth) + ']'.repeat(depth)
    : `${'{"a":'.repeat(depth)}0${'}'.repeat(depth)}`;
}
