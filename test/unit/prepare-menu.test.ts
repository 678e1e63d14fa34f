import { adapterOf } from '../../src/delivery-apps/registry';
import { prepareMenu } from '../../src/delivery-apps/prepare-menu';
import { bytesOf, serialiseUpTo } from '../../src/delivery-apps/serialise-up-to';
import type { AppName } from '../../src/delivery-apps/types';
import type { MenuDocument } from '../../src/menus/menu';
import { type MenuShape, shapedMenu } from '../support/menu-shapes';
import { sizedMenu } from '../support/sized-menu';

const STORE = { appStoreId: '8b2e', currencyExponent: 2, locale: 'es_mx' } as const;
const MEGABYTES_16 = 16 * 1_048_576;

const SMALL: MenuShape = {
  menus: 1,
  categories: 1,
  categoryReferences: 1,
  items: 400,
  groups: 0,
  dataItems: 300,
  dataGroups: 0,
  options: 0,
  targets: 300,
  periods: 7,
  itemPeriods: 0,
  idLength: 4,
  textLength: 5,
  prices: 'other',
  quantities: false,
};

function prepare(name: AppName, menu: MenuDocument) {
  const { payload, losses, lossCounts } = prepareMenu(adapterOf(name), { menu, store: STORE });
  return { payload, blocking: losses.filter(({ severity }) => severity === 'block'), lossCounts };
}

test.each(['app-a', 'app-b', 'app-c', 'app-d'] as const)(
  'the payload of %s is what JSON.stringify makes of it',
  (name) => {
    for (const menu of [sizedMenu(210, 1), shapedMenu(SMALL)]) {
      const { payload } = adapterOf(name).transform({ menu, store: STORE });
      expect(prepare(name, menu).payload.toString()).toBe(JSON.stringify(payload));
    }
  },
);

// App A: an override of its price for each item in each menu, with the menu's long identifier.
const MANY_OVERRIDES = { ...SMALL, menus: 20, items: 8_000, dataItems: 8_000, targets: 8_000 };
// App C: the hours of the menu on each of its items, 14 MB when all days are alike.
const MANY_HOURS = { ...SMALL, periods: 7 * 1_439 };

test.each([
  ['app-a', shapedMenu({ ...MANY_OVERRIDES, idLength: 60 })],
  ['app-c', shapedMenu({ ...MANY_HOURS, periods: MANY_HOURS.periods - 3 })],
] as const)('a payload over 16 MB is a blocking loss of %s and is not kept', (name, menu) => {
  const { payload, blocking } = prepare(name, menu);
  expect(payload.toString()).toBe('null');
  const id = menu.menus[0]?.identifier;
  expect(blocking).toContainEqual({
    code: 'limit_exceeded',
    severity: 'block',
    pointer: '/menus/0',
    external_id: id,
    message: `The menu is over a limit of this delivery, its payload may not be larger than 16 MB: ${id}`,
  });
});

test('a payload of nearly 16 MB is kept', () => {
  const { payload, blocking } = prepare('app-c', shapedMenu(MANY_HOURS));
  expect(payload.length).toBeGreaterThan(0.8 * MEGABYTES_16);
  expect(blocking).toEqual([]);
});

test('a payload is measured in bytes: exactly the limit is accepted, one more is not', () => {
  const payload = { a: ['é"\\', 1, null, {}], b: { c: [] }, d: [], e: 'x' };
  const text = JSON.stringify(payload);
  const bytes = Buffer.byteLength(text);
  expect(written(payload, bytes)).toEqual([text, bytes]);
  expect(serialiseUpTo(payload, bytes - 1)).toBeUndefined();
  expect(serialiseUpTo(payload, 10)).toBeUndefined();
  expect(written({}, 10)).toEqual(['{}', 2]);
  expect(written(null, 10)).toEqual(['null', 4]);
});

function written(value: object | null, most: number) {
  const serialised = serialiseUpTo(value, most);
  return serialised && [bytesOf(serialised).toString(), serialised.size];
}
