import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StoreFacts, TransformInput } from '../../src/delivery-apps/types';
import { storeFactsOf } from '../../src/delivery-apps/types';
import type { MenuDocument } from '../../src/menus/menu';

/** Facts of a store in a country, whose menus any of the apps takes. */
export function storeIn(countryCode: string): StoreFacts {
  return storeFactsOf({ countryCode, appStoreId: '6f0d1c4e-93a7-4c7e-9a52-0c8f3f6f0a11' });
}

/** A menu of a real restaurant, from test/vectors/field-menus, in a store of its country. */
export function fieldMenu(name: string): Pick<TransformInput, 'menu' | 'store'> {
  const path = join(__dirname, '..', 'vectors', 'field-menus', `${name}.json`);
  const { store_country: country, menu } = JSON.parse(readFileSync(path, 'utf8')) as {
    readonly store_country: string;
    readonly menu: MenuDocument;
  };
  return { menu, store: storeIn(country) };
}
