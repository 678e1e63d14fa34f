import fc from 'fast-check';
import { DAYS_OF_WEEK, type MenuDocument } from '../../src/menus/menu';
import type { Loss, StoreFacts } from '../../src/delivery-apps/types';
import type { ConformanceSubject } from './conformance-subject';
import { menuArbitrary } from '../support/menus';
import { readGoldenMenus } from './golden-menus';

const OPEN = { start: '09:00', end: '22:00' };

type EntityList = readonly { readonly external_id?: string; readonly identifier?: string }[];

/** What holds for the transform of every app, over all golden menus. */
export function describeTransform({
  app,
  store,
  settings,
  violations,
  tame = (menu) => menu,
}: ConformanceSubject): void {
  const menus = readGoldenMenus().map((golden) => ({
    ...golden,
    inputFor: (facts: StoreFacts) => ({ ...golden.inputFor(facts), ...settings }),
  }));

  test.each(menus)('$name: each loss names its entity, once per code', (golden) => {
    const input = golden.inputFor(store);
    const { losses } = app.transform(input);
    for (const loss of losses) {
      expect(idAt(input.menu, loss.pointer)).toBe(loss.external_id);
      expect(loss.message.endsWith(`: ${loss.external_id}`)).toBe(true);
      expect(loss.message).not.toMatch(/[\n\r]/);
    }
    const keys = losses.map(({ code, pointer }) => `${code} ${pointer}`);
    expect(new Set(keys).size).toBe(keys.length);
  });

  test.each(menus)('$name: the app accepts it, or a loss has predicted its refusal', (golden) => {
    const { payload, losses } = app.transform(golden.inputFor(store));
    if (losses.some(isBlocking)) return;
    expect(violations(JSON.parse(JSON.stringify(payload)))).toEqual([]);
  });

  test.each(menus)('$name: the same menu gives the same payload, itself unchanged', (golden) => {
    const input = golden.inputFor(store);
    deepFreeze(input.menu);
    const once = JSON.stringify(app.transform(input));
    expect(JSON.stringify(app.transform(input))).toBe(once);
  });

  test('any valid menu: the app accepts it, or a loss has predicted its refusal', () => {
    const property = fc.property(menuArbitrary, (menu) => {
      const { payload, losses } = app.transform({ menu, store, ...settings });
      for (const loss of losses) expect(idAt(menu, loss.pointer)).toBe(loss.external_id);
      if (losses.some(isBlocking)) return;
      expect(violations(JSON.parse(JSON.stringify(payload)))).toEqual([]);
    });
    fc.assert(property, { numRuns: 200 });
  });

  // Most of the menus above are blocked by hours or lengths; none of these is.
  test('any valid menu with ordinary names and hours is taken', () => {
    const property = fc.property(menuArbitrary, (menu) => {
      const { payload, losses } = app.transform({
        menu: tame(ordinary(menu)),
        store,
        ...settings,
      });
      expect(losses.filter(isBlocking)).toEqual([]);
      expect(violations(JSON.parse(JSON.stringify(payload)))).toEqual([]);
    });
    fc.assert(property, { numRuns: 200 });
  });

  test('one menu too many is a blocking loss, the app’s maximum is not', () => {
    const [golden] = menus;
    if (!golden) throw new Error('There are no golden menus.');
    const input = golden.inputFor(store);
    const [menu] = input.menu.menus;
    if (!menu) throw new Error('The first golden menu is empty.');
    const copies = Array.from({ length: 2 }, (_, index) => ({ ...menu, identifier: `M${index}` }));
    const { losses } = app.transform({ ...input, menu: { ...input.menu, menus: copies } });
    const refused = losses.filter(({ code }) => code === 'second_menu_refused');
    expect(refused.length).toBe(app.maxMenus > 1 ? 0 : 1);
  });
}

function isBlocking({ severity }: Loss): boolean {
  return severity === 'block';
}

/** The same menu with one name of 40 characters at most for each entity, and one menu open all week. */
function ordinary(menu: MenuDocument): MenuDocument {
  const schedules = DAYS_OF_WEEK.map((day_of_week) => ({ day_of_week, periods: [OPEN] }));
  return {
    menus: menu.menus.slice(0, 1).map((one) => ({ ...named(one), schedules })),
    categories: menu.categories.map(named),
    items: menu.items.map(named),
    modifier_groups: menu.modifier_groups.map(named),
  };
}

function named<T extends { readonly name: string }>(entity: T): T {
  return { ...entity, name: Array.from(entity.name).slice(0, 40).join('') };
}

/** The POS id of the entity at a JSON pointer such as `/items/3`. */
function idAt(menu: MenuDocument, pointer: string): string | undefined {
  const [, list, index] = /^\/(menus|categories|items|modifier_groups)\/(\d+)$/.exec(pointer) ?? [];
  const entities = new Map<string, EntityList>(Object.entries(menu));
  const entity = entities.get(list ?? '')?.[Number(index)];
  return entity?.external_id ?? entity?.identifier;
}

function deepFreeze(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  Object.freeze(value);
  for (const child of Object.values(value)) deepFreeze(child);
}
