import type { MenuDocument } from '../../src/menus/menu';
import { countReads } from '../support/count-reads';
import { doubledShape, type MenuShape, randomShape, shapedMenu } from '../support/menu-shapes';
import { MENU_WORK } from '../support/menu-work';
import { randomFrom } from '../support/random';

const SEED = 20_261_122;
/** Reads of a menu per byte of it and of its result; the highest measured value is 0.9. */
const MOST_READS = 1.5;
/** How much the reads per byte may grow for a menu of twice the size. */
const MOST_GROWTH = 1.3;
/** Below this many reads a byte they are those of a few large entities, which no shape makes more of. */
const FEW_READS = 0.3;

function shapes(count: number): MenuShape[] {
  const random = randomFrom(SEED);
  return Array.from({ length: count }, () => randomShape(random));
}

describe.each(MENU_WORK)('$name', ({ run }) => {
  function readsPerByte(menu: MenuDocument): number {
    let written = 0;
    const reads = countReads(menu, (watched) => {
      written = run(watched).length;
    });
    return reads / (Buffer.byteLength(JSON.stringify(menu)) + written);
  }

  test('reads a menu of any shape in time proportional to its bytes', () => {
    const wasteful = shapes(40).filter((shape) => readsPerByte(shapedMenu(shape)) > MOST_READS);
    expect(wasteful).toEqual([]);
  });

  test('reads no more per byte for a menu of twice the size', () => {
    const growing = shapes(15).filter((shape) => {
      const doubled = readsPerByte(shapedMenu(doubledShape(shape)));
      return doubled > FEW_READS && doubled > readsPerByte(shapedMenu(shape)) * MOST_GROWTH;
    });
    expect(growing).toEqual([]);
  });
});
