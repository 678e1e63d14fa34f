import type { MenuDocument } from '../../src/menus/menu';
import { menuAsSent } from '../../src/uploads/menu-as-sent';
import { rawMembers } from '../../src/platform/text/raw-json';
import { isSameMenu } from '../../src/delivery-apps/app-a/same-menu';
import { parseWithLongIds } from '../../src/delivery-apps/app-c/long-ids';
import { parseJson } from '../../src/http/body/parse-json';
import { doubledShape, type MenuShape, shapedMenu } from '../support/menu-shapes';
import { MENU_WORK, type MenuWork } from '../support/menu-work';

/**
 * Time is measured in readings of the same text by `JSON.parse`: that is linear, and it meets the same caches and the same
 * garbage collector. Of something quadratic four times the text takes four times as many; sorting adds a little, and so
 * does the garbage of half a million small lists on a busy machine (2.4 was met).
 */
const MOST_GROWTH = 3;
/** The dearest transform takes as long as reading its menu 12 times; the quadratic one took 300. */
const MOST_READINGS = 30;

/** CPU time of one run, ms: the least of several, as other threads only add to it. */
function cpuOf(run: () => unknown, times: number): number {
  const runs = Array.from({ length: times }, () => {
    const before = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.min(...runs);
}

/** `run` is run once on a large text: what else runs then can only make its growth look larger, and it is measured again. */
function readingsOf(run: () => unknown, times: number, ...texts: readonly string[]): number {
  return cpuOf(run, times) / cpuOf(() => texts.map((text) => JSON.parse(text) as unknown), 2);
}

/** Measures again, six times at most, before a clock on a busy machine is believed. */
function leastOf(measure: () => number, most: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < 6 && least > most; tries++) least = Math.min(least, measure());
  return least;
}

const LARGE: MenuShape = {
  menus: 20,
  categories: 20,
  categoryReferences: 100,
  items: 100,
  groups: 20,
  dataItems: 60,
  dataGroups: 10,
  options: 20,
  targets: 100,
  periods: 14,
  itemPeriods: 7,
  idLength: 8,
  textLength: 40,
  prices: 'conflicting',
  quantities: true,
};

/** Where quadratic work would hide: everything refers to one thing, everything to everything, texts and hours are long. */
const HARD_SHAPES: Readonly<Record<string, MenuShape>> = {
  'categories that every menu repeats': { ...LARGE, categories: 1, dataItems: 1_000, targets: 1 },
  'prices of every item in every menu': { ...LARGE, categories: 4, dataItems: 50 },
  'one item in all places': { ...LARGE, targets: 1 },
  'items that repeat their groups': { ...LARGE, dataGroups: 20, groups: 5 },
  'groups that repeat their options': { ...LARGE, options: 60, targets: 2 },
  'long ids': { ...LARGE, idLength: 255, dataItems: 10, dataGroups: 2, options: 5 },
  'hours by the minute': { ...LARGE, menus: 1, periods: 500, itemPeriods: 50 },
};

const menus = Object.entries(HARD_SHAPES).map(([name, shape]) => ({ name, shape }));

/** As a request brings it: texts of the same words that are put together elsewhere are slower to compare. */
function parsed(menu: MenuDocument): MenuDocument {
  return JSON.parse(JSON.stringify(menu)) as MenuDocument;
}

/**
 * What an app reads of a menu. App D takes no hours, which are most of a small menu of hours and little of a large one:
 * measured against all of the text its work would seem to grow (3 to 5 were met).
 */
function textReadBy({ name }: MenuWork, menu: MenuDocument): string {
  const isLeftOut = (key: string): boolean => key === 'schedules' && name.includes('app-d');
  return JSON.stringify(menu, (key, value: unknown) => (isLeftOut(key) ? undefined : value));
}

function readingsOfWork(work: MenuWork, menu: MenuDocument | undefined, times: number) {
  if (menu === undefined) throw new Error('There is no menu.');
  const { run } = work;
  const texts = [textReadBy(work, menu), run(menu).toString() || 'null'];
  return () => readingsOf(() => run(menu), times, ...texts);
}

describe.each(menus)('of $name', ({ shape }) => {
  let small: MenuDocument | undefined;
  let large: MenuDocument | undefined;
  beforeAll(() => {
    small = parsed(shapedMenu(shape));
    large = parsed(shapedMenu(doubledShape(doubledShape(shape))));
  });
  afterAll(() => {
    small = large = undefined;
  });

  test.each(MENU_WORK)('$name takes no longer per byte for a menu four times as large', (work) => {
    const [ofSmall, ofLarge] = [readingsOfWork(work, small, 3), readingsOfWork(work, large, 1)];
    let readings = Number.POSITIVE_INFINITY;
    const growth = leastOf(() => {
      const again = ofLarge();
      readings = Math.min(readings, again);
      return again / ofSmall();
    }, MOST_GROWTH);
    expect(growth).toBeLessThan(MOST_GROWTH);
    expect(readings).toBeLessThan(MOST_READINGS);
  });
});

/** Texts that a careless scan would go over again and again. */
const TEXTS: Readonly<Record<string, (count: number) => unknown>> = {
  quotes: (count) => '"'.repeat(count),
  backslashes: (count) => '\\'.repeat(count),
  'strings that end in backslashes': (count) => Array.from({ length: count / 4 }, () => '\\\\'),
  'control characters': (count) => '\u0001'.repeat(count),
  'pairs of surrogates': (count) => '😀'.repeat(count),
  digits: (count) => Array.from({ length: count / 20 }, () => '1'.repeat(19)),
  'empty containers': (count) => Array.from({ length: count / 4 }, (_, n) => (n % 2 ? {} : [])),
  'one deep list': (count) => Array.from({ length: count / 120 }, () => nested(30)),
  'many members': (count) =>
    Object.fromEntries(Array.from({ length: count / 10 }, (_, n) => [`k${n}`, n])),
};

function nested(depth: number): unknown {
  return depth === 0 ? 1 : [nested(depth - 1), 1];
}

const SCANS: Readonly<Record<string, (text: string) => unknown>> = {
  'the checks of a body': (text) => parseJson(Buffer.from(text)),
  'the members of a body': rawMembers,
  'the menu of a body as it was sent': menuAsSent,
  'an answer with long ids': parseWithLongIds,
  'comparing what an app shows': (text) =>
    isSameMenu({ menus: JSON.parse(text) as unknown }, { menus: JSON.parse(text) as unknown }),
};

const scans = Object.entries(SCANS).flatMap(([name, scan]) =>
  Object.entries(TEXTS).map(([of, text]) => ({ name, scan, of, text })),
);

test.each(scans)('$name takes no longer per byte for four times as many $of', (each) => {
  const [small, large] = [80_000, 320_000].map((count) => {
    const text = JSON.stringify({ value: each.text(count) });
    return () => readingsOf(() => each.scan(text), 3, text);
  });
  const growth = () => (large?.() ?? 0) / (small?.() ?? 0);
  expect(leastOf(growth, MOST_GROWTH)).toBeLessThan(MOST_GROWTH);
});
