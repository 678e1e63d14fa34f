import { createAppC } from '../../dev/sandbox/app-c/app-c';
import type { Json } from '../../dev/sandbox/app-c/menu-checks';
import { taskRefusals } from '../../dev/sandbox/app-c/task-rules';
import { validateMenu } from '../../dev/sandbox/app-c/validate-menu';
import { appC } from '../../src/delivery-apps/app-c/app-c';
import { describeDeliveryApp } from './delivery-app-conformance';

describeDeliveryApp({
  app: appC,
  // Tests let tokens expire in quick succession.
  simulate: (options) => createAppC({ ...options, refreshCoolDownSeconds: 0 }),
  store: { deliveryId: 'shop-1', currencyExponent: 2, locale: 'es_mx' },
  storeCredential: { app_shop_id: 'shop-1' },
  violations: (payload) => {
    const broken = validateMenu(payload);
    if (broken !== undefined) return [broken];
    return taskRefusals(payload as Json, 1).map(({ errno, id }) => `errno ${errno}: ${id}`);
  },
  unreadableSuccess: 'unknown',
});
