import { validateMenu } from '../../dev/sandbox/app-c/validate-menu';
import { taskRefusals } from '../../dev/sandbox/app-c/task-rules';
import type { Json } from '../../dev/sandbox/app-c/menu-checks';
import type { WirePayload } from '../../src/delivery-apps/app-c/wire';
import { readShownByAppC } from '../../src/delivery-apps/app-c/read-shown';
import { checkMenu } from '../../src/menus/rules/check-menu';
import { APP_NAMES } from '../../src/delivery-apps/types';
import { readFieldMenu, transformFieldMenu } from '../support/field-menu';
import { category, group, item, menu, STORE, transform, uses } from './app-c-menus';

/** `counts[n]` items in category n, and options of one of them. */
function wide(counts: readonly number[], options: number) {
  const optionIds = Array.from({ length: options }, (_, n) => `O${n}`);
  const ids = counts.map((count, at) => Array.from({ length: count }, (_, n) => `I${at}-${n}`));
  const groups = Array.from({ length: Math.ceil(options / 100) }, (_, n) =>
    group(`G${n}`, optionIds.slice(n * 100, n * 100 + 100)),
  );
  return transform({
    menus: [
      menu(
        'M1',
        counts.map((_, n) => `C${n}`),
      ),
    ],
    categories: ids.map((each, n) => category(`C${n}`, each)),
    items: [
      ...ids
        .flat()
        .map((id, n) =>
          item(
            id,
            n === 0 ? { data_modifier_groups: groups.map((each) => uses(each.external_id)) } : {},
          ),
        ),
      ...optionIds.map((id) => item(id)),
    ],
    modifier_groups: groups,
  });
}

describe('a menu of as many categories as App C takes', () => {
  it('is accepted with its options, which stand in its last category and are not shown there', () => {
    const { payload, said, shown } = transformFieldMenu(
      'app-c',
      readFieldMenu('40-twenty-categories-and-options'),
    );
    expect(said).toEqual([]);
    const wire = payload as WirePayload;
    expect(wire.categories).toHaveLength(20);
    expect(wire.categories.at(-1)?.app_item_ids).toEqual(['i19', 'o']);
    expect(wire.items.find(({ app_item_id: id }) => id === 'o')?.is_sold_separately).toBe(false);
    expect([validateMenu(payload as Json), taskRefusals(payload as Json, 1)]).toEqual([
      undefined,
      [],
    ]);
    expect(shown.menus[0]?.categories.at(-1)).toMatchObject({ external_id: 'k19', items: ['i19'] });
  });

  it.each([
    ['19 categories', Array<number>(19).fill(1), 301, [1, 2, 300]],
    ['20 categories', Array<number>(20).fill(1), 301, [1, 3, 300]],
    ['a full last one', [...Array<number>(19).fill(1), 300], 10, [1, 11, 300]],
    ['an empty last one', [...Array<number>(19).fill(1), 0], 10, [1, 1, 10]],
    ['18 categories and more options than two take', Array<number>(18).fill(1), 601, [2, 300, 300]],
  ])('takes the options of %s', (_, counts, options, lastSizes) => {
    const { payload, losses } = wide(counts, options);
    expect(losses).toEqual([]);
    expect(payload.categories.slice(-3).map((each) => each.app_item_ids.length)).toEqual(lastSizes);
    expect(validateMenu(payload as unknown as Json)).toBeUndefined();
    const shown = readShownByAppC(payload, { store: STORE, sentMenus: [] });
    expect(shown.menus[0]?.categories.map((each) => each.items.length)).toEqual(counts);
  });

  it('of more categories blocks with the number of its own', () => {
    const { losses } = wide(Array<number>(21).fill(1), 1);
    expect(losses.map(({ message }) => message)).toEqual([
      'The menu is over a limit of this delivery, 21 categories (at most 20): M1',
    ]);
  });

  it('and of more items than the app takes blocks because of these alone', () => {
    const { losses } = wide(Array<number>(20).fill(1), 4_000);
    expect(losses.map(({ message }) => message)).toEqual([
      'The menu is over a limit of this delivery, 4020 items (at most 4000): M1',
    ]);
  });
});

test.each(APP_NAMES)('%s shows a category without items, or a loss names it', (app) => {
  const sent = readFieldMenu('33-empty-category-and-group');
  const [soup] = sent.menu.items;
  if (!soup) throw new Error('There is no soup.');
  const { shown, losses } = transformFieldMenu(app, {
    ...sent,
    menu: { ...sent.menu, items: [{ ...soup, data_modifier_groups: [] }], modifier_groups: [] },
  });
  const isShown = shown.menus[0]?.categories.some(({ external_id: id }) => id === 'e') ?? false;
  expect(losses.some(({ pointer }) => pointer === '/categories/1')).toBe(!isShown);
});

test('a group without options is refused with its id', () => {
  const { menu: sent } = readFieldMenu('33-empty-category-and-group');
  const checked = checkMenu(sent, { equalQuantities: 'refuse' });
  expect(checked).toMatchObject({
    ok: false,
    problems: { shown: [{ pointer: '/modifier_groups/0/data_options', externalId: 'g' }] },
  });
});

test('two menus are both shown by App A with their own hours and prices, and the other apps refuse the second', () => {
  const kitchen = readFieldMenu('09-campus-kitchen-two-menus');
  const { said, shown } = transformFieldMenu('app-a', kitchen);
  expect(said).toEqual([]);
  expect(shown.menus.map(({ identifier }) => identifier)).toEqual(['day', 'late']);
  expect(shown.menus[1]?.hours.map(({ day }) => day)).toEqual(['friday', 'saturday', 'sunday']);
  expect(shown.items[0]?.prices_by_menu).toMatchObject([{ identifier: 'late', price: '1100' }]);
  for (const app of ['app-b', 'app-c', 'app-d'] as const) {
    expect(transformFieldMenu(app, kitchen).said).toContain(
      'block second_menu_refused: Only one menu is supported by this delivery: late',
    );
  }
});
