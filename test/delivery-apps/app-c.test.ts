import { createAppC } from '../../dev/sandbox/app-c/app-c';
import type { Json } from '../../dev/sandbox/app-c/menu-checks';
import { refusedGroups, taskRefusals } from '../../dev/sandbox/app-c/task-rules';
import { validateMenu } from '../../dev/sandbox/app-c/validate-menu';
import { appC } from '../../src/delivery-apps/app-c/app-c';
import { describeDeliveryApp } from './delivery-app-conformance';

describeDeliveryApp({
  app: appC,
  // Tests let tokens expire in quick succession.
  simulate: (options) => createAppC({ ...options, refreshCoolDownSeconds: 0 }),
  store: { appStoreId: 'shop-1', currencyExponent: 2, locale: 'es_mx' },
  storeCredential: { app_shop_id: 'shop-1' },
  violations: (payload) => {
    const broken = validateMenu(payload);
    if (broken !== undefined) return [broken];
    const menu = payload as Json;
    const refusals = [...taskRefusals(menu, 1), ...refusedGroups(menu)];
    return refusals.map(({ errno, id }) => `errno ${errno}: ${id}`);
  },
  unreadableSuccess: 'unknown',
});
