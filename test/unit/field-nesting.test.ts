import type { AppName } from '../../src/delivery-apps/types';
import { readFieldMenu, transformFieldMenu } from '../support/field-menu';
import { category, group, item, menu, quantity, transform, uses } from './app-c-menus';
import { transformD } from './app-d-menus';

const FLAT = ['app-c', 'app-d'] as const;
const DEEP = ['app-a', 'app-b'] as const;

/** What the menu loses by the shape of an app, without what else App D loses. */
function saidOf(app: AppName, name: string): readonly string[] {
  const { said } = transformFieldMenu(app, readFieldMenu(name));
  return said.filter(
    (one) => !/menu_schedule_ignored|option_cloned|price_not_representable/.test(one),
  );
}

describe.each(FLAT)('what %s cannot nest', (app) => {
  it('is named with the group and the required choice, and nothing that stands behind it is called unused (six levels)', () => {
    expect(saidOf(app, '02-uber-six-level-combo')).toEqual([
      'warn nested_groups_dropped: The item has no modifier groups where it is an option, which drops patty: Cheeseburger',
      'warn required_choice_dropped: The delivery cannot ask for a required choice: patty',
    ]);
  });

  it('is named for each option, and is no required choice where none is demanded (three flavours)', () => {
    expect(saidOf(app, '11-pizza-three-flavours-nested')).toEqual(
      ['frango', 'camarao', 'portuguesa'].map(
        (id) =>
          `warn nested_groups_dropped: The item has no modifier groups where it is an option, which drops ad: ${id}`,
      ),
    );
  });

  it('is a required choice that the kitchen must ask for (a dressing)', () => {
    expect(saidOf(app, '55-required-choice-lost-by-nesting')).toEqual([
      'warn nested_groups_dropped: The item has no modifier groups where it is an option, which drops dress: salad',
      'warn required_choice_dropped: The delivery cannot ask for a required choice: dress',
    ]);
  });
});

test.each(DEEP)('%s keeps every level', (app) => {
  for (const name of [
    '02-uber-six-level-combo',
    '11-pizza-three-flavours-nested',
    '55-required-choice-lost-by-nesting',
  ]) {
    expect(saidOf(app, name)).toEqual([]);
  }
});

test('App C with more levels granted loses nothing of them', () => {
  const combo = readFieldMenu('02-uber-six-level-combo');
  expect(transformFieldMenu('app-c', combo, { levels: 6 }).said).toEqual([]);
});

/** I1 offers I2, whose group I4 has too; `ofPlace`: its limits at I2. */
const nested = (ofPlace?: ReturnType<typeof quantity>) => ({
  categories: [category('C1', ['I1', 'I4'])],
  items: [
    item('I1', { data_modifier_groups: [uses('G1')] }),
    item('I2', {
      data_modifier_groups: [{ ...uses('G2'), ...(ofPlace && { quantity: ofPlace }) }],
    }),
    item('I3'),
    item('I4', { data_modifier_groups: [uses('G2')] }),
  ],
  modifier_groups: [group('G1', ['I2']), group('G2', ['I3'], { quantity: quantity(1, 2) })],
});

describe('a dropped group', () => {
  it.each([
    [undefined, ['/modifier_groups/1']],
    [quantity(0, 1), []],
    [quantity(2, 2), ['/modifier_groups/1']],
  ])('is a required choice by the limits of the place where it stands: %j', (ofPlace, expected) => {
    for (const { at } of [transform(nested(ofPlace)), transformD(nested(ofPlace))]) {
      expect(at('required_choice_dropped')).toEqual(expected);
      expect(at('nested_groups_dropped')).toEqual(['/items/1']);
    }
  });

  it('is named with the others up to seven', () => {
    const ids = Array.from({ length: 9 }, (_, n) => `N${n}`);
    const { losses } = transform({
      items: [
        item('I1', { data_modifier_groups: [uses('G1')] }),
        item('I2', { data_modifier_groups: [...ids, ...ids].map(uses) }),
        item('I3'),
      ],
      modifier_groups: [group('G1', ['I2']), ...ids.map((id) => group(id, ['I3']))],
    });
    expect(losses.map(({ message }) => message)).toEqual([
      'The item has no modifier groups where it is an option, which drops N0, N1, N2, N3, N4, N5, N6 and 2 more: I2',
    ]);
  });

  it('leaves entities that no menu refers to unused', () => {
    const lists = nested();
    const { at } = transform({
      ...lists,
      menus: [menu('M1', ['C1'])],
      items: [...lists.items, item('I5', { data_modifier_groups: [uses('G3')] })],
      modifier_groups: [...lists.modifier_groups, group('G3', ['I5'])],
    });
    expect(at('entity_unused')).toEqual(['/items/4', '/modifier_groups/2']);
  });
});
