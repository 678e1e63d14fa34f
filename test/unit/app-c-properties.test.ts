import fc from 'fast-check';
import type { Json } from '../../dev/sandbox/app-c/menu-checks';
import { taskRefusals } from '../../dev/sandbox/app-c/task-rules';
import { validateMenu } from '../../dev/sandbox/app-c/validate-menu';
import { transformForAppC } from '../../src/delivery-apps/app-c/transform';
import type { WirePayload } from '../../src/delivery-apps/app-c/wire';
import { amountOf } from '../../src/menus/menu';
import { menuArbitrary } from '../support/menus';
import { STORE } from './app-c-menus';

/** A menu that App C does not refuse for its number of menus: the arbitrary makes several. */
const oneMenu = menuArbitrary.map((document) => ({
  ...document,
  menus: document.menus.slice(0, 1),
}));
const exponent = fc.constantFrom(0 as const, 2 as const);

describe('any menu for App C', () => {
  it('is accepted by the app when no loss blocks it', () => {
    let accepted = 0;
    fc.assert(
      fc.property(oneMenu, exponent, (menu, currencyExponent) => {
        const store = { ...STORE, currencyExponent };
        const { payload, losses } = transformForAppC({ menu, store });
        if (losses.some(({ severity }) => severity === 'block')) return;
        accepted += 1;
        const sent = JSON.parse(JSON.stringify(payload)) as Json;
        expect(validateMenu(sent)).toBeUndefined();
        expect(taskRefusals(sent, 1)).toEqual([]);
      }),
    );
    expect(accepted).toBeGreaterThan(20);
  });

  it('shows each entity, or reports it as unused or as behind a dropped group, and shows none that the menu does not have', () => {
    fc.assert(
      fc.property(oneMenu, fc.constantFrom(1, 6), (menu, levels) => {
        const { payload, losses } = transformForAppC({ menu, store: STORE, levels });
        const shown = (payload as WirePayload).items
          .filter((item) => item.app_external_id === undefined)
          .map((item) => item.app_item_id);
        const unused = losses
          .filter(({ code, pointer }) => code === 'entity_unused' && pointer.startsWith('/items/'))
          .map(({ external_id }) => String(external_id));
        const own = menu.items.map((item) => item.external_id);
        const isDropped = losses.some(({ code }) => code === 'nested_groups_dropped');
        const behind = own.filter((id) => isDropped && !shown.includes(id) && !unused.includes(id));
        expect([...shown, ...unused, ...behind].toSorted()).toEqual(own.toSorted());
      }),
    );
  });

  it('has its options at the price of the option, whatever the item costs by itself', () => {
    fc.assert(
      fc.property(oneMenu, (menu) => {
        const payload = transformForAppC({ menu, store: STORE }).payload as WirePayload;
        for (const wire of payload.modifier_groups) {
          const groupId = wire.app_external_id ?? wire.app_modifier_group_id;
          const group = menu.modifier_groups.find((each) => each.external_id === groupId);
          for (const { app_item_id, price } of wire.app_mg_items) {
            const posId = payload.items.find((each) => each.app_item_id === app_item_id);
            const id = posId?.app_external_id ?? app_item_id;
            const option = group?.data_options.find((each) => each.item_external_id === id);
            const item = menu.items.find((each) => each.external_id === id);
            expect(price).toBe(Number(amountOf(option?.price ?? item?.price ?? {})));
          }
        }
      }),
    );
  });
});
