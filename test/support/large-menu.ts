import { type MenuShape, shapedMenu } from './menu-shapes';

export const LARGE_SHAPE: MenuShape = {
  menus: 1,
  categories: 10,
  categoryReferences: 10,
  items: 2_000,
  groups: 100,
  dataItems: 100,
  dataGroups: 4,
  options: 20,
  targets: 2_000,
  periods: 7,
  itemPeriods: 0,
  idLength: 8,
  textLength: 90,
  prices: 'own',
  quantities: false,
};

/** A menu of some 600 KB, too large for the event loop. */
export const LARGE_MENU = shapedMenu(LARGE_SHAPE);

/** A payload of App B of some 12 MB: 40,000 items, in order. */
export function largeAppBPayload() {
  const items = Array.from({ length: 40_000 }, (_, n) => ({
    id: `I${n}`,
    name: `Item ${n}`,
    description: 'x'.repeat(200),
    price: '10.30',
    option_groups: [{ id: 'G1', min: 0, max: 2 }],
  }));
  return { menu: {}, categories: [], items, option_groups: [] };
}
