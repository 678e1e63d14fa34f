import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { APP_NAMES } from '../../src/delivery-apps/types';
import { checkMenu } from '../../src/menus/rules/check-menu';
import { GOLDEN_STORE, readGoldenMenus, readGoldenResult, transformGolden } from './golden-menus';

const menus = readGoldenMenus();

test.each(menus)('$name is a menu that the API takes', ({ inputFor }) => {
  const { menu } = inputFor(GOLDEN_STORE);
  expect(checkMenu(menu, { equalQuantities: 'refuse' })).toEqual({ ok: true, menu });
});

describe.each(APP_NAMES)('%s', (app) => {
  test(`has its conformance test, test/delivery-apps/${app}.test.ts`, () => {
    expect(existsSync(join(__dirname, `${app}.test.ts`))).toBe(true);
  });

  test.each(menus)('$name is translated as before: $about', (menu) => {
    const today: unknown = JSON.parse(JSON.stringify(transformGolden(app, menu)));
    expect(today).toEqual(readGoldenResult(app, menu.name));
  });
});
