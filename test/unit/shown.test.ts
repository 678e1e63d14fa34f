import * as fc from 'fast-check';
import { firstOfEach } from '../../src/delivery-apps/menu-index';
import { adapterOf } from '../../src/delivery-apps/registry';
import { APP_NAMES } from '../../src/delivery-apps/types';
import { countShown, type Shown } from '../../src/delivery-apps/shown';
import type { MenuDocument } from '../../src/menus/menu';
import { checkMenu } from '../../src/menus/rules/check-menu';
import { JUDGED_APPS, judgeRandomMenu } from '../support/judge-random-menus';
import { randomFrom } from '../support/random';
import { randomMenu } from '../support/random-menus';
import { shownDifferences } from '../support/shown-differences';
import { sizedMenu } from '../support/sized-menu';

const STORE = { appStoreId: '8b2e', currencyExponent: 2, locale: 'es_mx' } as const;

test('every shipped app is in test/support/judge-random-menus.ts', () => {
  expect(JUDGED_APPS.map(({ name }) => name)).toEqual(APP_NAMES);
});

describe.each(JUDGED_APPS)('what $name shows of any menu', (app) => {
  it('differs from what was sent exactly where a loss says so, and each loss stands for a difference', () => {
    let accepted = 0;
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const { verdict, violations, unnamed, idle } = judgeRandomMenu(app, seed);
        if (verdict === 'accepted') accepted += 1;
        expect({ violations, unnamed, idle }).toEqual({ violations: [], unnamed: [], idle: [] });
      }),
      { numRuns: 300 },
    );
    expect(accepted).toBeGreaterThan(100);
  });
});

describe('the random menus that this is tried on', () => {
  it('keep every rule of a menu', () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const menu = randomMenu(randomFrom(seed), { menus: 3 });
        expect(checkMenu(menu, { equalQuantities: 'refuse', zeroPrices: 'accept' })).toMatchObject({
          ok: true,
        });
      }),
    );
  });
});

/** One entity of what is shown with other fields. */
type Change = (shown: Shown) => Shown;

const changedItem =
  (fields: object): Change =>
  (shown) => ({
    ...shown,
    items: shown.items.map((item, at) => (at ? item : { ...item, ...fields })),
  });
const changedGroup =
  (fields: object): Change =>
  (shown) => ({
    ...shown,
    modifier_groups: shown.modifier_groups.map((group, at) =>
      at ? group : { ...group, ...fields },
    ),
  });
const changedOption =
  (fields: object): Change =>
  (shown) =>
    changedGroup({
      options: shown.modifier_groups[0]?.options.map((option) => ({ ...option, ...fields })),
    })(shown);
const changedMenu =
  (fields: object): Change =>
  (shown) => ({ ...shown, menus: shown.menus.map((menu) => ({ ...menu, ...fields })) });

/** What an adapter may get wrong, one thing at a time. */
const WRONGS: Readonly<Record<string, Change>> = {
  'the name of a menu': changedMenu({ name: 'Other' }),
  'the hours of a menu': changedMenu({
    hours: [{ day: 'monday', periods: [{ start: '01:00', end: '02:00' }] }],
  }),
  'the categories of a menu': changedMenu({ categories: [] }),
  'the order of categories': (shown) =>
    changedMenu({ categories: shown.menus[0]?.categories.toReversed() })(shown),
  'the items of a category': (shown) =>
    changedMenu({
      categories: shown.menus[0]?.categories.map((category) => ({
        ...category,
        items: category.items.slice(1),
      })),
    })(shown),
  'the name of an item': changedItem({ name: 'Other' }),
  'the description of an item': changedItem({ description: 'Other' }),
  'the image of an item': changedItem({ image_url: 'https://other.example' }),
  'the price of an item': changedItem({ price: '1' }),
  'the promotion of an item': changedItem({ promotion_price: '1' }),
  'the hours of an item': changedItem({
    hours: [{ day: 'monday', periods: [{ start: '01:00', end: '02:00' }] }],
  }),
  'the groups of an item': changedItem({ modifier_groups: [] }),
  'an item': (shown) => ({ ...shown, items: shown.items.slice(1) }),
  'an item that was not sent': (shown) => ({
    ...shown,
    items: shown.items.concat(
      shown.items.slice(0, 1).map((item) => ({ ...item, external_id: 'new' })),
    ),
  }),
  'the name of a group': changedGroup({ name: 'Other' }),
  'the limits of a group on an item': (shown) =>
    changedItem({
      modifier_groups: shown.items[0]?.modifier_groups.map((group) => ({
        ...group,
        max: group.max + 1,
      })),
    })(shown),
  'the options of a group': changedGroup({ options: [] }),
  'the price of an option': changedOption({ price: '1' }),
  'the promotion of an option': changedOption({ promotion_price: '1' }),
  'the limits of an option': changedOption({ min: 7, max: 9 }),
};

/** Nothing is lost of it on the way to App A. */
const PLAIN = withoutUnused(withoutRepeats(sizedMenu(60, 7)));

function withoutRepeats(menu: MenuDocument): MenuDocument {
  const modifier_groups = menu.modifier_groups.map((group) => ({
    ...group,
    data_options: firstOfEach(group.data_options, (option) => option.item_external_id),
  }));
  return { ...menu, modifier_groups };
}

function withoutUnused(menu: MenuDocument): MenuDocument {
  const { losses } = adapterOf('app-a').transform({ menu, store: STORE });
  const unused = new Set(losses.map(({ pointer }) => pointer));
  const isUsed = (list: string) => (_: unknown, at: number) => !unused.has(`/${list}/${at}`);
  return {
    ...menu,
    items: menu.items.filter(isUsed('items')),
    modifier_groups: menu.modifier_groups.filter(isUsed('modifier_groups')),
  };
}

describe('the comparison that this is tried with', () => {
  const adapter = adapterOf('app-a');
  const { payload, losses } = adapter.transform({ menu: PLAIN, store: STORE });
  const shown = adapter.readShown(JSON.parse(JSON.stringify(payload)), {
    store: STORE,
    sentMenus: PLAIN.menus,
  });

  it('uses a menu with something of everything', () => {
    const { menus, ...counts } = countShown(shown);
    expect(menus).toBe(1);
    expect(counts.categories).toBe(PLAIN.categories.length);
    expect(counts.items).toBe(PLAIN.items.length);
    expect(counts.modifier_groups).toBe(PLAIN.modifier_groups.length);
    expect(counts.images).toBe(PLAIN.items.filter(({ image_url: url }) => url).length);
    expect(counts.options).toBeGreaterThan(0);
  });

  it('finds nothing if everything is as it was sent', () => {
    expect(losses).toEqual([]);
    expect(shownDifferences(PLAIN, shown, { ownPrices: true })).toEqual([]);
  });

  test.each(Object.entries(WRONGS))('finds another value: %s', (_, change) => {
    const changed = change(shown);
    expect(changed).not.toEqual(shown);
    expect(shownDifferences(PLAIN, changed, { ownPrices: true })).not.toEqual([]);
  });
});
