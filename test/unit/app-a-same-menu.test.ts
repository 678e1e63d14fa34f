import { compareMenus, isSameMenu } from '../../src/delivery-apps/app-a/same-menu';
import { category, group, item, menu, quantity, transform } from './app-a-menus';

describe('a menu read back from App A', () => {
  it('equals the pushed one whatever the order of fields, entities, days and overrides', () => {
    const pushed = pushedMenu();
    expect(isSameMenu(pushed, reversed(pushed))).toBe(true);
  });

  it("equals the pushed one despite the app's additions: own fields, nulls and empty lists", () => {
    const live = pushedMenu();
    Object.assign(live, { menu_type: 'MENU_TYPE_FULFILLMENT_DELIVERY' });
    for (const one of live.items) {
      one['subtitle'] = null;
      one['tax_info'] = { tax_rate: 16 };
      one['quantity_info'] ??= { quantity: null, overrides: [] };
    }
    expect(isSameMenu(pushedMenu(), live)).toBe(true);
  });

  it('equals the pushed one while the app is still processing images', () => {
    const live = pushedMenu();
    for (const one of live.items) delete one['image_url'];
    expect(isSameMenu(pushedMenu(), live)).toBe(true);
  });

  it.each<[string, (live: LiveMenu) => void]>([
    ['another price', (live) => Object.assign(live.items[0] ?? {}, { price_info: { price: 1 } })],
    ['an item more', (live) => live.items.push({ id: 'I7' })],
    ['an item less', (live) => live.items.pop()],
    ['a description that we took away', (live) => Object.assign(live.items[0] ?? {}, text())],
    ['a category more', (live) => live.menus[0]?.category_ids.push('C0')],
    [
      'categories in another order',
      (live) => Object.assign(live.menus[0] ?? {}, { category_ids: ['C2', 'C1'] }),
    ],
    ['no menus at all', (live) => Object.assign(live, { menus: [] })],
  ])('differs with %s', (_, change) => {
    const live = pushedMenu();
    change(live);
    expect(isSameMenu(pushedMenu(), live)).toBe(false);
  });

  it.each([null, [], 'menus', 7, {}, { menus: 'none' }])('differs when it is %j', (live) => {
    expect(isSameMenu(pushedMenu(), live)).toBe(false);
  });
});

interface LiveMenu {
  menus: { category_ids: string[] }[];
  items: Record<string, unknown>[];
}

function pushedMenu(): LiveMenu {
  const { payload } = transform({
    menus: [menu('M1', ['C1', 'C2']), menu('M2', ['C2'])],
    categories: [
      category('C1', [{ item_external_id: 'I1', price: { value: '900' } }]),
      category('C2', [{ item_external_id: 'I1', price: { value: '800' } }]),
    ],
    items: [
      { ...item('I1', '1000', ['G1']), image_url: 'https://images.example/a.png' },
      item('I2', '100'),
    ],
    modifier_groups: [group('G1', [{ item_external_id: 'I2', quantity: quantity('0', '2') }])],
  });
  return JSON.parse(JSON.stringify(payload)) as LiveMenu;
}

/** Every object's fields, and every list that is a set, the other way round. */
function reversed(value: unknown, field = ''): unknown {
  const sets = ['menus', 'categories', 'items', 'modifier_groups', 'overrides', 'time_periods'];
  if (Array.isArray(value)) {
    const members = value.map((member) => reversed(member));
    return sets.includes(field) ? members.toReversed() : members;
  }
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([name, member]) => [name, reversed(member, name)]);
  return Object.fromEntries(fields.toReversed());
}

function text(): unknown {
  return { description: { translations: { es_mx: 'Old' } } };
}

const bytes = (value: unknown) => Buffer.from(JSON.stringify(value));

describe('what an app answers, compared with the bytes that were pushed', () => {
  it('is the same, different, or cannot be read', () => {
    const pushed = bytes(pushedMenu());
    expect(compareMenus(pushed, bytes(reversed(pushedMenu())))).toBe('same');
    const marked = Buffer.from(`\uFEFF${pushed.toString()}`);
    expect(compareMenus(pushed, marked)).toBe('same');
    expect(compareMenus(pushed, bytes({ ...pushedMenu(), menus: [] }))).toBe('different');
    expect(compareMenus(pushed, Buffer.from('<html>'))).toBe('unreadable');
    expect(compareMenus(pushed, Buffer.alloc(0))).toBe('unreadable');
  });

  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;

  it.each(['"M1"', '"Menu M1"', '["C1","C2"]', '1000', '{"es_mx":"Item I1"}'])(
    'is different with lists in a hundred thousand lists for %s',
    (part) => {
      const pushed = JSON.stringify(pushedMenu());
      expect(pushed).toContain(part);
      const shown = pushed.replace(part, deep);
      expect(compareMenus(Buffer.from(pushed), Buffer.from(shown))).toBe('different');
    },
  );

  it("is the same with such lists in the app's own fields", () => {
    const pushed = JSON.stringify(pushedMenu());
    const shown = pushed.replaceAll('{"id":', `{"own":${deep},"id":`);
    expect(compareMenus(Buffer.from(pushed), Buffer.from(shown))).toBe('same');
  });
});
