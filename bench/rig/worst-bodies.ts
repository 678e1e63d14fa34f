import { gzipSync } from 'node:zlib';

/** A body that costs as much as its bytes can, and how it comes. */
export interface WorstBody {
  readonly name: string;
  readonly bytes: Buffer;
  readonly encoding: 'identity' | 'gzip';
}

/** The largest that a menu may have. */
const SIZE = 10 * 1_048_576;

/** `piece` between `head` and `tail`, as often as it fits into the largest body, and at most `times`. */
function filled(head: string, piece: (n: number) => string, tail: string, times: number): string {
  const parts: string[] = [];
  let length = head.length + tail.length;
  for (let n = 0; n < times; n += 1) {
    const next = piece(n);
    length += next.length;
    if (length > SIZE) break;
    parts.push(next);
  }
  return head + parts.join('') + tail;
}

const ALL = Number.POSITIVE_INFINITY;
/** Fewer than the most values of a body, so that all of it is parsed. */
const MOST_VALUES = 499_000;

function texts(storeId: number): Record<string, string> {
  const lists = `{"store_id":${storeId},"integration_id":"1","menus":[0],"categories":[0],"modifier_groups":[],`;
  return {
    'nested arrays': filled('{"menus":[', () => '[[[[[[[[[[]]]]]]]]]],', '0]}', ALL),
    'arrays up to the most values': filled(
      `${lists}"items":[`,
      () => `[[[[[[[[[${' '.repeat(190)}]]]]]]]]],`,
      '0]}',
      MOST_VALUES / 10,
    ),
    'one long string': filled('{"menus":["', () => 'x'.repeat(1_000), '"]}', ALL),
    'strings of two bytes a character': filled('{"menus":["', () => 'ż'.repeat(250), '"]}', 20_000),
    escapes: filled('{"menus":["', () => String.raw`\u0041\n`.repeat(10), '"]}', ALL),
    strings: filled(`${lists}"items":[`, () => `"${'y'.repeat(18)}",`, '0]}', MOST_VALUES),
    'one key again and again': filled('{', () => '"menus":0,', '"a":0}', ALL),
    'one key up to the most values': filled(
      '{',
      () => `"${'k'.repeat(16)}":0,`,
      '"a":0}',
      MOST_VALUES,
    ),
    'as many keys as there may be': filled(
      '{',
      (n) => `"${String(n).padStart(13, 'k')}":0,`,
      '"a":0}',
      MOST_VALUES,
    ),
    'items that break every rule': filled(
      `${lists}"items":[`,
      (n) =>
        `{"external_id":"${n}","name":${n},"price":{},"data_modifier_groups":[${'{},'.repeat(40)}0]},`,
      '0]}',
      9_999,
    ),
  };
}

/** All of them; those that are shaped like menus are for this store. */
export function worstBodies(storeId: number): readonly WorstBody[] {
  const all = Object.entries(texts(storeId)).map(([name, text]) => ({
    name,
    bytes: Buffer.from(text),
    encoding: 'identity' as const,
  }));
  const [first] = all;
  if (!first) throw new Error('there are no bodies');
  return [
    ...all,
    { name: 'nested arrays in gzip', bytes: gzipSync(first.bytes), encoding: 'gzip' as const },
  ];
}
