import { createAppD, rappiIdOf } from '../../dev/sandbox/app-d/app-d';
import { validateMenu } from '../../dev/sandbox/app-d/validate-menu';
import { appD } from '../../src/delivery-apps/app-d/app-d';
import type { MenuDocument } from '../../src/menus/menu';
import { describeDeliveryApp } from './delivery-app-conformance';

describeDeliveryApp({
  app: appD,
  simulate: (options) => createAppD({ ...options, decimals: true }),
  store: { appStoreId: '999', currencyExponent: 2, locale: 'es_mx' },
  storeCredential: { rappi_store_id: String(rappiIdOf('999')) },
  // Random prices have cents, which block where the app counts whole units.
  settings: { appDPriceUnit: 'decimal' },
  violations: (payload) =>
    validateMenu(payload, true).map(({ rule, skus }) => `${rule} ${skus.join(' > ')}`),
  unreadableSuccess: 'accepted',
  tame: (menu) => withAnItem(withPrices(withoutEmojiIds(menu))),
});

function withoutEmojiIds(menu: MenuDocument): MenuDocument {
  return JSON.parse(JSON.stringify(menu).replaceAll('🍔', 'a burger')) as MenuDocument;
}

/** The app takes no item that is sold for nothing, unless an option on it costs something. */
function withPrices(menu: MenuDocument): MenuDocument {
  return JSON.parse(JSON.stringify(menu), (_key, value: { free?: unknown } | null) =>
    value?.free === true ? { value: '100' } : value,
  ) as MenuDocument;
}

/** The app takes no menu that sells nothing. */
function withAnItem(menu: MenuDocument): MenuDocument {
  const sold = { item_external_id: menu.items[0]?.external_id ?? '' };
  const first = menu.menus[0]?.category_external_ids[0];
  const categories = menu.categories.map((category) =>
    category.external_id === first
      ? { ...category, data_items: [sold, ...category.data_items] }
      : category,
  );
  return { ...menu, categories };
}
