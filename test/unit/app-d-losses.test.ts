import { validateMenu } from '../../dev/sandbox/app-d/validate-menu';
import { withoutEmoji } from '../../src/delivery-apps/app-d/without-emoji';
import { category, group, item, menu, on, quantity, uses } from './app-c-menus';
import { transformD } from './app-d-menus';

const nothing = { quantity: quantity(0, 0) };

/** I1 with this group; the option I2 is free. */
function withGroup(
  of: ReturnType<typeof group>,
  reference: ReturnType<typeof uses> = uses('G1'),
): Parameters<typeof transformD>[0] {
  return {
    items: [
      item('I1', { data_modifier_groups: [reference] }),
      item('I2', { price: { value: '0' } }),
    ],
    modifier_groups: [of],
  };
}

describe('what App D loses', () => {
  it('hours, promotions, descriptions of anything but items, groups of options and minimums of options', () => {
    const { losses, toppings } = transformD({
      menus: [{ ...menu('M1', ['C1']), description: 'Lunch' }],
      categories: [{ ...category('C1', ['I1']), description: 'Warm' }],
      items: [
        item('I1', {
          schedules: [on('monday', '09:00-10:00')],
          price: { value: '1000', promotion_value: '900' },
          data_modifier_groups: [uses('G1')],
        }),
        item('I2', { data_modifier_groups: [uses('G2')] }),
        item('I3'),
      ],
      modifier_groups: [
        group('G1', [], { data_options: [{ item_external_id: 'I2', quantity: quantity(1, 2) }] }),
        group('G2', ['I3']),
      ],
    });
    expect(toppings('I1')).not.toHaveProperty('0.children');
    expect(losses.map(({ code, severity, pointer }) => `${severity} ${code} ${pointer}`)).toEqual([
      'warn menu_schedule_ignored /menus/0',
      'warn description_dropped /menus/0',
      'warn description_dropped /categories/0',
      'warn item_schedule_ignored /items/0',
      'warn nested_groups_dropped /items/1',
      'warn option_quantity_ignored /modifier_groups/0',
      'warn promotion_price_ignored /items/0',
    ]);
  });

  it('not an option with only a maximum', () => {
    const options = [{ item_external_id: 'I2', quantity: quantity(0, 1) }];
    const { at } = transformD({
      items: [item('I1', { data_modifier_groups: [uses('G1')] }), item('I2')],
      modifier_groups: [group('G1', [], { data_options: options })],
    });
    expect(at('option_quantity_ignored')).toEqual([]);
  });

  it('every menu after the first is refused', () => {
    const { at } = transformD({ menus: [menu('M1', ['C1']), menu('M2', ['C1'])] });
    expect(at('second_menu_refused')).toEqual(['/menus/1']);
  });

  it('emoji are removed from names and descriptions; a name of only emoji, and an id with one, block', () => {
    const { payload, losses } = transformD({
      items: [item('I1', { name: 'Pizza 🍕 hot', description: '❤️ basil™' })],
    });
    expect(payload?.items[0]).toMatchObject({ name: 'Pizza hot', description: 'basil™' });
    expect(losses[0]).toMatchObject({
      code: 'emoji_removed',
      severity: 'warn',
      message: 'The item is shown without the emoji of its name and its description: I1',
    });
    const nameless = transformD({ items: [item('I1', { name: '🍕' })] });
    expect(nameless.losses[0]).toEqual({
      code: 'name_empty',
      severity: 'block',
      pointer: '/items/0',
      external_id: 'I1',
      message: 'The item name has nothing that this delivery can show: I1',
    });
    const odd = transformD({ categories: [category('C1', ['🍕'])], items: [item('🍕')] });
    expect(odd.at('limit_exceeded')).toEqual(['/items/0']);
  });

  it.each([
    ['👨‍👩‍👧 Family', 'Family'],
    ['Flag 🇲🇽', 'Flag'],
    ['1️⃣ first', '1 first'],
    ['Thumb 👍🏽 up', 'Thumb up'],
    ['🍕\u200B \u2060', ''],
    ['Coca-Cola® 50 % #1*', 'Coca-Cola® 50 % #1*'],
    ['  two  blanks ', '  two  blanks '],
  ])('%s is shown as %s', (sent, shown) => {
    expect(withoutEmoji(sent)).toBe(shown);
  });

  it('a bad image is left out', () => {
    const image_url = 'http://images.example/1.png';
    const { payload, at } = transformD({ items: [item('I1', { image_url })] });
    expect(payload?.items[0]).not.toHaveProperty('imageUrl');
    expect(at('image_out_of_rules')).toEqual(['/items/0']);
  });

  it('long texts are cut at one character too many', () => {
    const fits = { name: 'n'.repeat(1_000), description: 'd'.repeat(2_000) };
    expect(transformD({ items: [item('I1', fits)] }).at('text_cut')).toEqual([]);
    for (const [field, text] of Object.entries(fits)) {
      const { at, products } = transformD({ items: [item('I1', { [field]: `${text}x` })] });
      expect(at('text_cut')).toEqual(['/items/0']);
      expect(products('I1')[0]).toMatchObject({ [field]: text });
    }
  });

  it.each([
    [50, []],
    [51, ['/categories/0', '/modifier_groups/0', '/items/0']],
  ])('%i items of a category, options of a group and of a product', (count, expected) => {
    const ids = (prefix: string) => Array.from({ length: count }, (_, n) => `${prefix}${n}`);
    const { at, payload } = transformD({
      categories: [category('C1', ids('I'))],
      items: [
        ...ids('I').map((id, n) => item(id, n === 0 ? { data_modifier_groups: [uses('G1')] } : {})),
        ...ids('O').map((id) => item(id)),
      ],
      modifier_groups: [group('G1', ids('O'))],
    });
    expect(at('limit_exceeded')).toEqual(expected);
    expect(payload === null).toBe(count > 50);
    expect(payload === null || validateMenu(payload).length === 0).toBe(true);
  });

  it.each<[string, Parameters<typeof transformD>[0], readonly string[]]>([
    [
      'a group that permits nothing',
      withGroup(group('G1', ['I2'], nothing)),
      ['/modifier_groups/0'],
    ],
    ['a group without options', withGroup(group('G1', [], nothing)), []],
    [
      'an option of which nobody may take one',
      withGroup(
        group('G1', [], { data_options: [{ item_external_id: 'I2', quantity: quantity(0, 0) }] }),
      ),
      ['/modifier_groups/0'],
    ],
    ['a free option', withGroup(group('G1', ['I2'])), []],
  ])('%s', (_what, lists, expected) => {
    const { at, payload } = transformD(lists);
    expect(at('limit_exceeded')).toEqual(expected);
    // The app refuses what blocks here, and takes the rest.
    expect(payload === null ? [] : validateMenu(payload)).toEqual([]);
  });

  it('a group that permits nothing only to one item', () => {
    const none = { ...uses('G1'), quantity: quantity(0, 0) };
    const lists = withGroup(group('G1', ['I2']), none);
    expect(transformD(lists).at('limit_exceeded')).toEqual(['/modifier_groups/0']);
  });

  it('ids of 501 characters block, repeated references do not count', () => {
    const long = 'x'.repeat(501);
    const { at } = transformD({ categories: [category('C1', [long])], items: [item(long)] });
    expect(at('limit_exceeded')).toEqual(['/items/0']);
    const repeats = Array.from({ length: 60 }, () => 'I1');
    expect(transformD({ categories: [category('C1', repeats)] }).at('limit_exceeded')).toEqual([]);
  });

  it('a menu whose options would fill the memory is refused before they are written', () => {
    const ids = Array.from({ length: 2_500 }, (_, n) => `I${n}`);
    const options = Array.from({ length: 50 }, (_, n) => `O${n}`);
    const categories = Array.from({ length: 50 }, (_, n) =>
      category(`C${n}`, ids.slice(n * 50, n * 50 + 50)),
    );
    const own = { ...uses('G1'), quantity: quantity(0, 3) };
    const { payload, losses } = transformD({
      menus: [
        menu(
          'M1',
          categories.map(({ external_id }) => external_id),
        ),
      ],
      categories,
      items: [
        ...ids.map((id) => item(id, { data_modifier_groups: [own] })),
        ...options.map((id) => item(id)),
      ],
      modifier_groups: [group('G1', options)],
    });
    expect(payload).toBeNull();
    expect(losses[0]).toMatchObject({
      code: 'limit_exceeded',
      message:
        'The menu is over a limit of this delivery, its payload may not be larger than 16 MB: M1',
    });
  });
});
