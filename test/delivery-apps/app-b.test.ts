import { createAppB } from '../../dev/sandbox/app-b/app-b';
import { validateMenu } from '../../dev/sandbox/app-b/validate-menu';
import { appB } from '../../src/delivery-apps/app-b/app-b';
import { describeDeliveryApp } from './delivery-app-conformance';

describeDeliveryApp({
  app: appB,
  simulate: createAppB,
  store: { appStoreId: 'merchant-1', currencyExponent: 2, locale: 'es_mx' },
  violations: (payload) => validateMenu(payload).map(({ code, path }) => `${code} ${path}`),
  unknownStore: 'unknown-merchant',
  unreadableSuccess: 'unknown',
});
