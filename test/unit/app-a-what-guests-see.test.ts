import * as fc from 'fast-check';
import { transformForAppA } from '../../src/delivery-apps/app-a/transform';
import { amountOf, type MenuDocument, type Quantity } from '../../src/menus/menu';
import { menuArbitrary } from '../support/menus';
import { sentLimits } from '../support/sent-menu';
import { STORE } from './app-a-menus';

interface Override {
  readonly context_type: string;
  readonly context_value: string;
  readonly price?: number;
  readonly quantity?: Limits;
}

interface Limits {
  readonly min_permitted: number;
  readonly max_permitted: number;
}

interface Entity {
  readonly id: string;
  readonly price_info: { readonly price: number; readonly overrides?: readonly Override[] };
  readonly quantity_info?: { readonly quantity?: Limits; readonly overrides?: readonly Override[] };
}

interface Sent {
  readonly items: readonly Entity[];
  readonly modifier_groups: readonly Entity[];
}

/** Every number that a guest meets, resolved as the app does: the narrowest context that has one, else the entity. */
describe('what guests of App A see', () => {
  it("is each menu's price for each of its items", () => {
    overAnyMenu((menu, sent) => {
      for (const { identifier, category_external_ids: categoryIds } of menu.menus) {
        const listed = categoryIds.flatMap((id) => find(menu.categories, id).data_items);
        for (const { item_external_id: itemId } of listed) {
          const priced = listed.find((one) => one.item_external_id === itemId && one.price);
          const expected = priced?.price ?? find(menu.items, itemId).price;
          expect(priceIn(sent, itemId, [['MENU', identifier]])).toBe(Number(amountOf(expected)));
        }
      }
    });
  });

  it("is each group's price for each of its options, whatever the menu", () => {
    overAnyMenu((menu, sent) => {
      for (const { group, option } of sentOptions(menu, sent)) {
        const expected = option.price ?? find(menu.items, option.item_external_id).price;
        for (const { identifier } of menu.menus) {
          const contexts = [
            ['MODIFIER_GROUP', group.external_id],
            ['MENU', identifier],
          ] as const;
          expect(priceIn(sent, option.item_external_id, contexts)).toBe(Number(amountOf(expected)));
        }
      }
    });
  });

  it("is each item's number of options for each of its groups", () => {
    overAnyMenu((menu, sent) => {
      for (const { id } of sent.items) {
        const references = find(menu.items, id).data_modifier_groups;
        for (const { modifier_group_external_id: groupId } of references) {
          const reference = known(
            references.find((one) => one.modifier_group_external_id === groupId),
          );
          const expected = reference.quantity ?? find(menu.modifier_groups, groupId).quantity;
          const { quantity_info: info } = findSent(sent.modifier_groups, groupId);
          const override = overrideFor(info?.overrides, 'ITEM', id)?.quantity;
          expect(override ?? info?.quantity).toEqual(limitsOf(expected));
        }
      }
    });
  });

  it("is each group's limit for taking an option", () => {
    overAnyMenu((menu, sent) => {
      for (const { group, option } of sentOptions(menu, sent)) {
        const { quantity_info: info } = findSent(sent.items, option.item_external_id);
        const override = overrideFor(info?.overrides, 'MODIFIER_GROUP', group.external_id);
        expect(override?.quantity).toEqual(option.quantity ? limitsOf(option.quantity) : undefined);
      }
    });
  });
});

function overAnyMenu(check: (menu: MenuDocument, sent: Sent) => void): void {
  fc.assert(
    fc.property(menuArbitrary, (menu) => {
      const { payload } = transformForAppA({ menu, store: STORE });
      check(menu, payload as Sent);
    }),
  );
}

/** The options of the sent groups; of an option that is in its group twice only the first. */
function sentOptions(menu: MenuDocument, sent: Sent) {
  return sent.modifier_groups.flatMap(({ id }) => {
    const group = find(menu.modifier_groups, id);
    const ids = group.data_options.map((option) => option.item_external_id);
    return group.data_options
      .filter((option, index) => ids.indexOf(option.item_external_id) === index)
      .map((option) => ({ group, option }));
  });
}

function priceIn(
  sent: Sent,
  itemId: string,
  contexts: readonly (readonly [string, string])[],
): number | undefined {
  const { price, overrides } = findSent(sent.items, itemId).price_info;
  const narrowest = contexts
    .map(([type, value]) => overrideFor(overrides, type, value)?.price)
    .find((override) => override !== undefined);
  return narrowest ?? price;
}

function overrideFor(overrides: readonly Override[] = [], type: string, value: string) {
  return overrides.find((one) => one.context_type === type && one.context_value === value);
}

function limitsOf(quantity: Quantity): Limits {
  const { min, max } = sentLimits(quantity);
  return { min_permitted: min, max_permitted: max };
}

function find<T extends { readonly external_id: string }>(entities: readonly T[], id: string): T {
  return known(entities.find(({ external_id }) => external_id === id));
}

function findSent(entities: readonly Entity[], id: string): Entity {
  return known(entities.find((entity) => entity.id === id));
}

function known<T>(entity: T | undefined): T {
  if (entity === undefined) throw new Error('The entity is not there.');
  return entity;
}
