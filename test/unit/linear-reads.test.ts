import type { MenuDocument } from '../../src/menus/menu';
import { countReads } from '../support/count-reads';
import {
  doubledShape,
  LONGER_LISTS,
  type MenuShape,
  MORE_ENTITIES,
  randomShape,
  shapedMenu,
} from '../support/menu-shapes';
import { MENU_WORK, type MenuWork } from '../support/menu-work';
import { randomFrom } from '../support/random';

const SEED = 20_261_122;
/** Reads of a menu per byte of it and of its result; the highest measured value is 0.9. */
const MOST_READS = 1.5;
/** How much the reads per byte may grow for a menu of twice the size, once it is large. */
const MOST_GROWTH = 1.3;
/** Below this many reads a byte they are those of a few large entities, which no shape makes more of. */
const FEW_READS = 0.3;
/**
 * How often a shape is doubled before its growth is measured, and how often that may be too much. Long texts are read
 * once, short references often: as a menu gets more of the latter, its reads per byte grow towards theirs, ever less.
 * Those of quadratic work go on growing.
 */
const DOUBLINGS = 2;
const TRIES = 2;

const shapes = (count: number): MenuShape[] => {
  const random = randomFrom(SEED);
  return Array.from({ length: count }, () => randomShape(random));
};

type Run = MenuWork['run'];

function readsPerByte(run: Run, menu: MenuDocument): number {
  let written = 0;
  const reads = countReads(menu, (watched) => {
    written = run(watched).length;
  });
  return reads / (Buffer.byteLength(JSON.stringify(menu)) + written);
}

/** The shapes of which a large menu costs more reads per byte the more it has of these. */
function growing(run: Run, more: typeof MORE_ENTITIES | typeof LONGER_LISTS): MenuShape[] {
  return shapes(15).filter((shape) => {
    let large = shape;
    for (let times = 0; times < DOUBLINGS; times += 1) large = doubledShape(large, more);
    let before = readsPerByte(run, shapedMenu(large));
    for (let tries = 0; tries < TRIES; tries += 1) {
      large = doubledShape(large, more);
      const doubled = readsPerByte(run, shapedMenu(large));
      if (doubled <= FEW_READS || doubled <= before * MOST_GROWTH) return false;
      before = doubled;
    }
    return true;
  });
}

describe.each(MENU_WORK)('$name', ({ run }) => {
  test('reads a menu of any shape in time proportional to its bytes', () => {
    const wasteful = shapes(40).filter(
      (shape) => readsPerByte(run, shapedMenu(shape)) > MOST_READS,
    );
    expect(wasteful).toEqual([]);
  });

  test('reads no more per byte the more entities a menu has', () => {
    expect(growing(run, MORE_ENTITIES)).toEqual([]);
  });

  test('reads no more per byte the longer the lists of a menu are', () => {
    expect(growing(run, LONGER_LISTS)).toEqual([]);
  });
});

/** Work that grows faster than its menu, and along what. */
const QUADRATIC = [
  {
    name: 'compares every item with every other',
    more: MORE_ENTITIES,
    run: ({ items }: MenuDocument) =>
      items.filter((one) => items.every((other) => other.external_id !== `${one.external_id}?`)),
  },
  {
    name: 'looks for the item of each option among all items',
    more: MORE_ENTITIES,
    run: ({ items, modifier_groups: groups }: MenuDocument) =>
      groups.flatMap(({ data_options: options }) =>
        options.map(({ item_external_id: id }) =>
          items.findLast(({ external_id: known }) => known === id),
        ),
      ),
  },
  {
    name: 'looks for repeats by reading the list of each category again',
    more: LONGER_LISTS,
    run: ({ categories }: MenuDocument) =>
      categories.flatMap(({ data_items: uses }) =>
        uses.filter((use) =>
          uses.every((other) => other.item_external_id !== `${use.item_external_id}?`),
        ),
      ),
  },
] as const;

test.each(QUADRATIC)('work that $name is found to grow', ({ run, more }) => {
  const shapesThatShow = growing((menu) => Buffer.alloc(run(menu).length > -1 ? 0 : 1), more);
  expect(shapesThatShow.length).toBeGreaterThan(3);
});
