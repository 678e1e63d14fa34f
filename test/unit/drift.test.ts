import { adapterOf } from '../../src/delivery-apps/registry';
import { driftOf } from '../../src/delivery-apps/shown-changes';
import { category, group, item, menu, STORE, transform } from './app-a-menus';

interface LiveMenu {
  menus: { category_ids: string[] }[];
  categories: unknown[];
  items: { price_info: { overrides?: unknown[] }; quantity_info?: unknown }[];
  modifier_groups: unknown[];
}

function liveMenu(): LiveMenu {
  const { payload } = transform({
    menus: [menu('M1', ['C1', 'C2']), menu('M2', ['C2', 'C1']), menu('M3', ['C2'])],
    categories: [
      category('C1', [{ item_external_id: 'I1', price: { value: '900' } }]),
      category('C2', [{ item_external_id: 'I1', price: { value: '800' } }]),
    ],
    items: [item('I1', '1000', ['G1', 'G2']), item('I2', '100'), item('I3', '100')],
    modifier_groups: [
      group('G1', [{ item_external_id: 'I2' }, { item_external_id: 'I3' }]),
      group('G2', [{ item_external_id: 'I2' }]),
    ],
  });
  return JSON.parse(JSON.stringify(payload)) as LiveMenu;
}

function drift(change: (live: LiveMenu) => void) {
  const [sent, live] = [liveMenu(), liveMenu()];
  change(live);
  const [pushed, read] = [sent, live].map((value) => Buffer.from(JSON.stringify(value)));
  if (!pushed || !read) throw new Error('no menus');
  return driftOf(adapterOf('app-a'), { store: STORE, sentMenus: [] }, pushed, read, 100);
}

test('an answer of the app in another order, where guests see none, has not drifted', () => {
  const found = drift((live) => {
    for (const list of [live.menus, live.categories, live.items, live.modifier_groups]) {
      list.reverse();
    }
    for (const { price_info: info } of live.items) info.overrides?.reverse();
  });
  expect(found).toMatchObject({ count: 0, changes: [] });
});

test('categories in another order within a menu are one change, of that menu', () => {
  const found = drift((live) => {
    live.menus[0]?.category_ids.reverse();
  });
  expect(found).toMatchObject({
    count: 1,
    changes: [
      {
        op: 'changed',
        kind: 'menu',
        external_id: 'M1',
        field: 'order',
        before: ['C1', 'C2'],
        after: ['C2', 'C1'],
      },
    ],
  });
});

test('a quantity that an item was given in App A counts where it is an option, and nowhere else', () => {
  const found = drift(({ items }) => {
    for (const each of items) each.quantity_info = { quantity: { max_permitted: 1 } };
  });
  const options = [
    ['G1', 'I2'],
    ['G2', 'I2'],
    ['G1', 'I3'],
  ];
  expect(found?.changes).toEqual(
    options.map(([within, id]) =>
      expect.objectContaining({ kind: 'option', within, external_id: id, field: 'max', after: 1 }),
    ),
  );
});

test('a byte order mark before an answer is no part of it, and an answer that is no JSON says nothing', () => {
  const sent = Buffer.from(JSON.stringify(liveMenu()));
  const context = { store: STORE, sentMenus: [] };
  const read = (answer: string) =>
    driftOf(adapterOf('app-a'), context, sent, Buffer.from(answer), 100);
  expect(read(`\uFEFF${sent.toString()}`)).toMatchObject({ count: 0 });
  expect(read('<html>')).toBeUndefined();
});
