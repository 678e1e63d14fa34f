import * as fc from 'fast-check';
import { firstBrokenRule } from '../../dev/sandbox/app-a/validate-menu';
import { transformForAppA } from '../../src/delivery-apps/app-a/transform';
import type { TransformInput, TransformResult } from '../../src/delivery-apps/types';
import { DAYS_OF_WEEK, type Menu, type MenuDocument } from '../../src/menus/menu';
import { menuArbitrary } from '../support/menus';
import { STORE } from './app-a-menus';

describe('any menu on its way to App A', () => {
  it('is taken by the app exactly when no loss blocks it', () => {
    fc.assert(
      fc.property(inputs(menuArbitrary), (input) => {
        const result = transformForAppA(input);
        expect(refusalOf(result, input) === null).toBe(!isBlocked(result));
      }),
    );
  });

  it('is taken when its hours are long and its prices have no limit', () => {
    fc.assert(
      fc.property(menuArbitrary, (menu) => {
        const input = { menu: withLongHours(menu), store: STORE };
        const result = transformForAppA(input);
        expect(isBlocked(result)).toBe(false);
        expect(refusalOf(result, input)).toBeNull();
      }),
    );
  });

  it('has each loss once, pointing at an entity with the id that it names', () => {
    fc.assert(
      fc.property(inputs(menuArbitrary), (input) => {
        const { losses } = transformForAppA(input);
        const keys = losses.map(({ code, pointer }) => `${code} ${pointer}`);
        expect(new Set(keys).size).toBe(keys.length);
        for (const { pointer, external_id } of losses) {
          expect(idAt(input.menu, pointer)).toBe(external_id);
        }
      }),
    );
  });

  it('loses or sends each of its entities, never both and never neither', () => {
    fc.assert(
      fc.property(menuArbitrary, (menu) => {
        const { payload, losses } = transformForAppA({ menu, store: STORE });
        for (const list of ['categories', 'items', 'modifier_groups'] as const) {
          const sent = idsOf(payload, list);
          const lost = losses
            .filter(
              ({ code, pointer }) => code === 'entity_unused' && pointer.includes(`/${list}/`),
            )
            .map(({ external_id }) => String(external_id));
          const all = menu[list].map(({ external_id }) => external_id);
          expect([...sent, ...lost].toSorted()).toEqual(all.toSorted());
        }
      }),
    );
  });
});

/** Menus in markets of both kinds, with a price maximum that some prices are above. */
function inputs(menus: fc.Arbitrary<MenuDocument>): fc.Arbitrary<TransformInput> {
  return fc.record(
    {
      menu: fc.oneof(menus, menus.map(withLongHours)),
      store: fc.constantFrom<TransformInput['store']>(STORE, { ...STORE, currencyExponent: 0 }),
      maximumPrice: fc.constantFrom(500_000_000_000, 999_999_999_999),
    },
    { requiredKeys: ['menu', 'store'] },
  );
}

function withLongHours(menu: MenuDocument): MenuDocument {
  const schedules: Menu['schedules'] = DAYS_OF_WEEK.map((day_of_week) => ({
    day_of_week,
    periods: [{ start: '09:00', end: '21:00' }],
  }));
  return { ...menu, menus: menu.menus.map((one) => ({ ...one, schedules })) };
}

function isBlocked({ losses }: TransformResult): boolean {
  return losses.some(({ severity }) => severity === 'block');
}

/** The app's answer to the received menu. */
function refusalOf({ payload }: TransformResult, { maximumPrice }: TransformInput): string | null {
  const sent: unknown = JSON.parse(JSON.stringify(payload));
  return firstBrokenRule(sent, maximumPrice === undefined ? {} : { maximumPrice });
}

function idAt(menu: MenuDocument, pointer: string): string | undefined {
  const [, list, index] = pointer.split('/');
  if (list === 'menus') return menu.menus[Number(index)]?.identifier;
  const entities = list === 'categories' || list === 'items' || list === 'modifier_groups';
  return entities ? menu[list][Number(index)]?.external_id : undefined;
}

function idsOf(payload: unknown, list: 'categories' | 'items' | 'modifier_groups'): string[] {
  const lists = payload as Readonly<Record<typeof list, readonly { readonly id: string }[]>>;
  return lists[list].map(({ id }) => id);
}
