import type { Route } from './route';
import { APP_CALLBACK_ROUTES, type AppCallbackDeps } from './routes/app-callbacks';
import { APP_D_CALLBACK_ROUTE } from './routes/app-d-callback';
import { DELETION_ROUTES, type DeletionDeps } from './routes/deletions';
import { DELIVERY_ROUTES, type DeliveryDeps } from './routes/deliveries';
import { DELIVERY_RESEND_ROUTES, type DeliveryResendDeps } from './routes/delivery-resends';
import { DOCS_ROUTES } from './routes/docs';
import { HEALTH_ROUTES, type HealthDeps } from './routes/health';
import {
  INVENTORY_SYSTEM_READ_ROUTES,
  type InventorySystemReadDeps,
} from './routes/inventory-system-reads';
import { INVENTORY_SYSTEM_ROUTES, type InventorySystemDeps } from './routes/inventory-systems';
import { MENU_UPLOAD_ROUTES, type MenuUploadDeps } from './routes/menu-uploads';
import { ME_ROUTE, type MeDeps } from './routes/me';
import { METRICS_ROUTE, type MetricsRouteDeps } from './routes/metrics';
import { OPENAPI_ROUTES, type OpenApiDeps } from './routes/openapi';
import { POS_EVENT_ROUTES, type PosEventDeps } from './routes/pos-events';
import { POS_STOCK_UPDATE_ROUTES, type PosStockUpdateDeps } from './routes/pos-stock-updates';
import { STORE_CHANGE_ROUTES, type StoreChangeDeps } from './routes/store-changes';
import { STORE_INTEGRATIONS_ROUTE, type StoreIntegrationDeps } from './routes/store-integrations';
import { STORE_LINK_READ_ROUTES, type StoreLinkReadDeps } from './routes/store-link-reads';
import { STORE_LINK_ROUTES, type StoreLinkDeps } from './routes/store-links';
import { STORE_READ_ROUTES, type StoreReadDeps } from './routes/store-reads';
import { STORE_ROUTES, type StoreDeps } from './routes/stores';
import { UPLOAD_STATUS_ROUTES, type UploadStatusDeps } from './routes/upload-status';
import { WEBHOOK_SECRET_ROUTES, type WebhookSecretDeps } from './routes/webhook-secrets';
import { WEBHOOK_TEST_ROUTES, type WebhookTestDeps } from './routes/webhook-tests';
import { WEBHOOK_READ_ROUTE, type WebhookReadDeps } from './routes/webhook-reads';
import { WEBHOOK_ROUTES, type WebhookDeps } from './routes/webhooks';

/** What the handlers need, all together. */
export type RouteDeps = MeDeps &
  MenuUploadDeps &
  UploadStatusDeps &
  StoreDeps &
  StoreReadDeps &
  StoreChangeDeps &
  StoreIntegrationDeps &
  InventorySystemReadDeps &
  StoreLinkReadDeps &
  InventorySystemDeps &
  StoreLinkDeps &
  WebhookDeps &
  WebhookReadDeps &
  DeletionDeps &
  WebhookSecretDeps &
  WebhookTestDeps &
  PosEventDeps &
  PosStockUpdateDeps &
  DeliveryDeps &
  DeliveryResendDeps &
  HealthDeps &
  MetricsRouteDeps &
  OpenApiDeps &
  AppCallbackDeps;

/** Every endpoint, in the order in which an integrator meets them. What is not in this list is not served. */
export const ROUTES: readonly Route<RouteDeps>[] = [
  ME_ROUTE,
  ...MENU_UPLOAD_ROUTES,
  ...UPLOAD_STATUS_ROUTES,
  ...STORE_ROUTES,
  ...STORE_READ_ROUTES,
  ...STORE_CHANGE_ROUTES,
  STORE_INTEGRATIONS_ROUTE,
  ...INVENTORY_SYSTEM_ROUTES,
  ...INVENTORY_SYSTEM_READ_ROUTES,
  ...STORE_LINK_ROUTES,
  ...STORE_LINK_READ_ROUTES,
  ...WEBHOOK_ROUTES,
  WEBHOOK_READ_ROUTE,
  ...DELETION_ROUTES,
  ...WEBHOOK_SECRET_ROUTES,
  ...WEBHOOK_TEST_ROUTES,
  ...POS_EVENT_ROUTES,
  ...POS_STOCK_UPDATE_ROUTES,
  ...DELIVERY_ROUTES,
  ...DELIVERY_RESEND_ROUTES,
  ...HEALTH_ROUTES,
  METRICS_ROUTE,
  ...OPENAPI_ROUTES,
  ...DOCS_ROUTES,
  ...APP_CALLBACK_ROUTES,
  APP_D_CALLBACK_ROUTE,
];
