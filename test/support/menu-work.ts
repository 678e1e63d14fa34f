import { checkMenu } from '../../src/menus/rules/check-menu';
import type { MenuDocument } from '../../src/menus/menu';
import { changesBetween } from '../../src/menus/changes/menu-changes';
import { appA } from '../../src/delivery-apps/app-a/app-a';
import { appB } from '../../src/delivery-apps/app-b/app-b';
import { appC } from '../../src/delivery-apps/app-c/app-c';
import { appD } from '../../src/delivery-apps/app-d/app-d';
import { prepareMenu } from '../../src/delivery-apps/prepare-menu';

const STORE = { appStoreId: '8b2e', currencyExponent: 2, locale: 'es_mx' } as const;

export interface MenuWork {
  readonly name: string;
  /** Does it once and gives the text that came out of it. */
  readonly run: (menu: MenuDocument) => Buffer;
}

/** Everything that is done with a menu between its body and its push. */
export const MENU_WORK: readonly MenuWork[] = [
  {
    name: 'the rules of a menu',
    run(menu) {
      const verdict = checkMenu(menu, { equalQuantities: 'refuse' });
      if (!verdict.ok) throw new Error(`The menu is wrong: ${verdict.problems.sentences[0]}`);
      return Buffer.alloc(0);
    },
  },
  {
    name: 'the changes of a menu',
    run(menu) {
      const items = menu.items.map((item) => ({ ...item, price: { value: '7' } }));
      const before = { ...menu, categories: menu.categories.toReversed(), items };
      return Buffer.from(JSON.stringify(changesBetween(before, menu)));
    },
  },
  ...[appA, appB, appC, appD].map((app) => ({
    name: `reading back what ${app.name} shows`,
    run(menu: MenuDocument) {
      const payload: unknown = JSON.parse(
        prepareMenu(app, { menu, store: STORE }).payload.toString(),
      );
      const shown = app.readShown(payload, { store: STORE, sentMenus: menu.menus });
      return Buffer.from(JSON.stringify([payload, shown]));
    },
  })),
  ...[appA, appB, appC, appD].map((app) => ({
    name: `the transform of ${app.name}`,
    run: (menu: MenuDocument) => prepareMenu(app, { menu, store: STORE }).payload,
  })),
];
