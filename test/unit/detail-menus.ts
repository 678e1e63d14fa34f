import { adapterOf } from '../../src/delivery-apps/registry';
import type { StoreFacts } from '../../src/delivery-apps/types';
import type { ItemDetails } from '../../src/menus/details';
import type { MenuDocument, Price } from '../../src/menus/menu';
import { category, item, menu, STORE } from './app-a-menus';

export const EVERYTHING: ItemDetails = {
  tax: { rate: '1600', excise_rate: '800' },
  tax_labels: ['CAT_ALCOHOL', 'TEMP_COLD'],
  alcohol: { units: '1', by_volume: '450' },
  serves_alone: false,
  allergens: ['gluten', 'tree_nuts'],
  diets: ['vegan'],
  calories: { from: '250', to: '300' },
  barcode: '4006381333931',
  bundled_items: [{ item_external_id: 'I2', quantity: '2' }],
  deposit: { value: '100' },
};

/** Of the beer. */
const BEER: Price = { value: '4500' };

/** A beer with details, and water. */
export function bar(details: ItemDetails, price = BEER): MenuDocument {
  return {
    menus: [menu('M1', ['C1'])],
    categories: [category('C1', [{ item_external_id: 'I1' }, { item_external_id: 'I2' }])],
    items: [{ ...item('I1', '4500'), price, details }, item('I2', '2000')],
    modifier_groups: [],
  };
}

export function sent(app: string, document: MenuDocument, store: Partial<StoreFacts> = {}) {
  return adapterOf(app).transform({ menu: document, store: { ...STORE, ...store } });
}
