import { createAppA } from '../../dev/sandbox/app-a/app-a';
import { firstBrokenRule } from '../../dev/sandbox/app-a/validate-menu';
import { UNKNOWN_STORE_UUID } from '../../dev/sandbox/app-simulator';
import { appA } from '../../src/delivery-apps/app-a/app-a';
import { describeDeliveryApp } from './delivery-app-conformance';

describeDeliveryApp({
  app: appA,
  simulate: createAppA,
  store: {
    appStoreId: '6f0d1c4e-93a7-4c7e-9a52-0c8f3f6f0a11',
    currencyExponent: 2,
    locale: 'es_mx',
  },
  violations: (payload) => [firstBrokenRule(payload)].filter((rule) => rule !== null),
  unknownStore: UNKNOWN_STORE_UUID,
  unreadableSuccess: 'live',
});
