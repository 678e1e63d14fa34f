import type { MenuDocument } from '../../src/menus/menu';
import { versionedMenu } from '../support/versioned-menu';

/** A menu with something to change of every kind, which each app takes. `own` is a member that no rule knows. */
export function changeableMenu(name = 'Margherita'): MenuDocument {
  const pizza = {
    ...item('I1', name, '14900'),
    description: 'Tomato and cheese',
    data_modifier_groups: [{ modifier_group_external_id: 'G1' }],
    own: 1,
  };
  return {
    ...versionedMenu(1),
    items: [pizza, item('I2', 'Water', '2500'), item('X1', 'Cheese', '1500')],
    modifier_groups: [
      {
        external_id: 'G1',
        name: 'Extras',
        quantity: { min_quantity: '0', max_quantity: '2' },
        data_options: [{ item_external_id: 'X1', price: { value: '1200' } }],
      },
    ],
  };
}

function item(external_id: string, name: string, value: string) {
  return { external_id, name, price: { value }, data_modifier_groups: [] };
}
