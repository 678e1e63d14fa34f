import { mergeWeek } from '../../src/delivery-apps/app-b/schedules';
import { transformForAppB } from '../../src/delivery-apps/app-b/transform';
import type { WireDocument } from '../../src/delivery-apps/app-b/wire';
import { DAYS_OF_WEEK, type DayOfWeek, type MenuDocument, type Period } from '../../src/menus/menu';

const STORE = { appStoreId: 'm1', currencyExponent: 2, locale: 'es_mx' } as const;

const day = (day_of_week: DayOfWeek, ...periods: Period[]) => ({ day_of_week, periods });
const LUNCH = { start: '11:00', end: '15:00' };
const DINNER = { start: '18:00', end: '23:00' };
const WHOLE_WEEK = DAYS_OF_WEEK.map((name) => day(name, LUNCH, DINNER));

const MENU: MenuDocument = {
  menus: [{ identifier: 'M1', name: 'Main', category_external_ids: ['C1'], schedules: WHOLE_WEEK }],
  categories: [{ external_id: 'C1', name: 'Pizza', data_items: [{ item_external_id: 'I1' }] }],
  items: [
    {
      external_id: 'I1',
      name: 'Margherita',
      price: { value: '1030' },
      data_modifier_groups: [{ modifier_group_external_id: 'G1' }],
    },
    { external_id: 'I2', name: 'Cheese', price: { value: '150' }, data_modifier_groups: [] },
  ],
  modifier_groups: [
    {
      external_id: 'G1',
      name: 'Extras',
      quantity: { min_quantity: '0', max_quantity: '2' },
      data_options: [{ item_external_id: 'I2', price: { value: '120' } }],
    },
  ],
};

function transform(change: Partial<MenuDocument>) {
  const { payload, losses } = transformForAppB({ menu: { ...MENU, ...change }, store: STORE });
  return { payload: payload as WireDocument, losses: losses.map(({ code }) => code) };
}

describe('the week', () => {
  test('lunch and dinner survive as two windows on seven days', () => {
    const { shifts, openedDays, changedDays } = mergeWeek(WHOLE_WEEK);
    expect(shifts.map(({ start_time, end_time }) => [start_time, end_time])).toEqual([
      ['11:00', '15:00'],
      ['18:00', '23:00'],
    ]);
    expect(shifts.every((shift) => DAYS_OF_WEEK.every((name) => shift[name]))).toBe(true);
    expect([openedDays, changedDays]).toEqual([[], []]);
  });

  test("Monday's hours are used, and days with other hours or none are named", () => {
    const week = [day('sunday', DINNER), day('tuesday', LUNCH), day('monday', LUNCH)];
    expect(mergeWeek(week)).toMatchObject({
      leadingDay: 'monday',
      shifts: [{ start_time: '11:00' }],
      openedDays: ['wednesday', 'thursday', 'friday', 'saturday'],
      changedDays: ['sunday'],
    });
  });

  test("without Monday's hours the first day with periods is used", () => {
    const week = [day('saturday', DINNER), day('monday'), day('thursday', LUNCH)];
    expect(mergeWeek(week)).toMatchObject({ leadingDay: 'thursday' });
  });

  test('neither the order of periods, nor their schedules, nor periods that touch make a day differ', () => {
    const week = DAYS_OF_WEEK.flatMap((name) =>
      name === 'friday'
        ? [
            day(name, DINNER, { start: '13:00', end: '15:00' }),
            day(name, { ...LUNCH, end: '13:00' }),
          ]
        : [day(name, LUNCH, DINNER)],
    );
    expect(mergeWeek(week)).toMatchObject({ openedDays: [], changedDays: [] });
  });

  test('no period at all blocks', () => {
    const [menu] = MENU.menus;
    if (!menu) throw new Error('no menu');
    const empty = { ...menu, schedules: [day('monday')] };
    expect(transform({ menus: [empty] }).losses).toEqual(['no_hours']);
  });
});

test("the limits of a group are on the item, its own before the group's", () => {
  const [pizza, cheese] = MENU.items;
  if (!pizza || !cheese) throw new Error('no items');
  const own = {
    modifier_group_external_id: 'G1',
    quantity: { min_quantity: '1', max_quantity: '4' },
  };
  expect(transform({}).payload.items[0]?.option_groups).toEqual([{ id: 'G1', min: 0, max: 2 }]);
  const changed = [{ ...pizza, data_modifier_groups: [own] }, cheese];
  expect(transform({ items: changed }).payload.items[0]?.option_groups).toEqual([
    { id: 'G1', min: 1, max: 4 },
  ]);
});

test('a data item price replaces the item price', () => {
  const categories = [
    {
      external_id: 'C1',
      name: 'Pizza',
      data_items: [{ item_external_id: 'I1', price: { value: '5' } }],
    },
  ];
  expect(transform({ categories }).payload.items[0]?.price).toBe('0.05');
});

test('several menus block, each after the first', () => {
  const [menu] = MENU.menus;
  if (!menu) throw new Error('no menu');
  const menus = ['M1', 'M2', 'M3'].map((identifier) => ({ ...menu, identifier }));
  expect(transform({ menus }).losses).toEqual(['second_menu_refused', 'second_menu_refused']);
});
