import type { Operation } from './operation';
import { DELIVERY_OPERATIONS } from './operations/delivery-operations';
import { INVENTORY_OPERATIONS } from './operations/inventory-operations';
import { MENU_OPERATIONS } from './operations/menu-operations';
import { POS_OPERATIONS } from './operations/pos-operations';
import { SERVICE_OPERATIONS } from './operations/service-operations';
import { STORE_OPERATIONS } from './operations/store-operations';
import { WEBHOOK_OPERATIONS } from './operations/webhook-operations';

/** Every endpoint, in the order in which an integrator meets them. */
export const OPERATIONS: readonly Operation[] = [
  ...MENU_OPERATIONS,
  ...STORE_OPERATIONS,
  ...INVENTORY_OPERATIONS,
  ...WEBHOOK_OPERATIONS,
  ...POS_OPERATIONS,
  ...DELIVERY_OPERATIONS,
  ...SERVICE_OPERATIONS,
];
