import { AVAILABILITY_ROUTE } from '../availability/routes/availability';
import {
  AVAILABILITY_READ_ROUTES,
  type AvailabilityReadDeps,
} from '../availability/routes/availability-reads';
import { SPECIAL_DAYS_ROUTES } from '../availability/routes/special-days';
import { STORE_PAUSE_ROUTES } from '../availability/routes/store-pause';
import type { AcceptAvailabilityDeps } from '../availability/accept-availability';
import type { Route } from '../http/route';
import type { AppCallbackDeps } from '../uploads/routes/app-callback';
import { APP_C_CALLBACK_ROUTE } from '../uploads/routes/app-c-callback';
import { APP_D_CALLBACK_ROUTE } from '../uploads/routes/app-d-callback';
import { FILE_ROUTES } from '../console/file-routes';
import { CONSOLE_PAGES, type ConsolePageDeps } from '../console/routes';
import { PICTURE_ROUTE, type PictureDeps } from '../console/picture-route';
import { LINK_ROUTES } from '../console/link-routes';
import { SESSION_ROUTES, type SessionRouteDeps } from '../console/session-routes';
import { DELETION_ROUTES, type DeletionDeps } from '../deletions/routes/deletions';
import { DELIVERY_ROUTES, type DeliveryDeps } from '../webhooks/routes/deliveries';
import {
  DELIVERY_RESEND_ROUTES,
  type DeliveryResendDeps,
} from '../webhooks/routes/delivery-resends';
import { DOCS_ROUTES } from '../http/routes/docs';
import { EVENTS_WEBHOOK_ROUTES } from '../webhooks/routes/events-webhook';
import {
  EVENTS_WEBHOOK_READ_ROUTES,
  type EventsWebhookReadDeps,
} from '../webhooks/routes/events-webhook-reads';
import { HEALTH_ROUTES, type HealthDeps } from '../metrics/routes/health';
import {
  INVENTORY_SYSTEM_READ_ROUTES,
  type InventorySystemReadDeps,
} from '../inventory/routes/inventory-system-reads';
import {
  INVENTORY_SYSTEM_ROUTES,
  type InventorySystemDeps,
} from '../inventory/routes/inventory-systems';
import { ROLLOUT_ACTION_ROUTES, type RolloutActionDeps } from '../rollouts/routes/rollout-actions';
import { ROLLOUT_ROUTES } from '../rollouts/routes/rollouts';
import type { AcceptRolloutDeps } from '../rollouts/accept-rollout';
import { LIVE_CHECK_ROUTE } from '../drift/routes/drift-check';
import type { AcceptCheckDeps } from '../drift/accept-drift-check';
import { LIVE_MENU_ROUTES, type LiveMenuDeps } from '../uploads/routes/live-menus';
import { MENU_PREVIEW_ROUTE, type MenuPreviewDeps } from '../preview/routes/menu-preview';
import { UPLOAD_CHANGES_ROUTE, type UploadChangesDeps } from '../preview/routes/upload-changes';
import { UPLOAD_SHOWN_ROUTE, type UploadShownDeps } from '../preview/routes/upload-shown';
import { MENU_CHANGES_ROUTE } from '../uploads/routes/menu-changes';
import type { AcceptChangesDeps } from '../uploads/accept-changes';
import { MENU_UPLOAD_ROUTES } from '../uploads/routes/menu-uploads';
import type { AcceptUploadDeps } from '../uploads/accept-upload';
import { ME_ROUTE, type MeDeps } from '../http/routes/me';
import { METRICS_ROUTE, type MetricsRouteDeps } from '../metrics/routes/metrics';
import { OPENAPI_ROUTES, type OpenApiDeps } from '../http/routes/openapi';
import { POS_EVENT_ROUTES } from '../webhooks/routes/pos-events';
import type { AcceptPosEventDeps } from '../webhooks/accept-pos-event';
import {
  POS_STOCK_UPDATE_ROUTES,
  type PosStockUpdateDeps,
} from '../inventory/routes/pos-stock-updates';
import { SEARCH_ROUTE, type SearchDeps } from '../search/routes/search';
import { STORE_CHANGE_ROUTES, type StoreChangeDeps } from '../stores/routes/store-changes';
import { STORE_INTEGRATIONS_ROUTE } from '../stores/routes/store-integrations';
import { STORE_TIMELINE_ROUTE } from '../timeline/routes/store-timeline';
import { STORE_LINK_READ_ROUTES, type StoreLinkReadDeps } from '../stores/routes/store-link-reads';
import { STORE_LINK_ROUTES, type StoreLinkDeps } from '../stores/routes/store-links';
import { STORE_READ_ROUTES, type StoreReadDeps } from '../stores/routes/store-reads';
import { STORE_ROUTES, type StoreDeps } from '../stores/routes/stores';
import { UPLOAD_ACTION_ROUTES, type UploadActionDeps } from '../uploads/routes/upload-actions';
import { UPLOAD_VERSION_ROUTES, type UploadVersionDeps } from '../uploads/routes/upload-versions';
import { UPLOAD_STATUS_ROUTES, type UploadStatusDeps } from '../uploads/routes/upload-status';
import { WEBHOOK_SECRET_ROUTES, type WebhookSecretDeps } from '../webhooks/routes/webhook-secrets';
import { WEBHOOK_TEST_ROUTES, type WebhookTestDeps } from '../webhooks/routes/test-delivery';
import { WEBHOOK_READ_ROUTE, type WebhookReadDeps } from '../webhooks/routes/webhook-reads';
import { WEBHOOK_ROUTES } from '../webhooks/routes/webhooks';
import type { ManageDeps } from '../webhooks/manage-subscription';

/** What all handlers need. */
export type RouteDeps = MeDeps &
  SearchDeps &
  AcceptUploadDeps &
  AcceptChangesDeps &
  MenuPreviewDeps &
  UploadShownDeps &
  UploadChangesDeps &
  AcceptAvailabilityDeps &
  AvailabilityReadDeps &
  UploadStatusDeps &
  UploadVersionDeps &
  UploadActionDeps &
  LiveMenuDeps &
  AcceptCheckDeps &
  AcceptRolloutDeps &
  RolloutActionDeps &
  StoreDeps &
  StoreReadDeps &
  StoreChangeDeps &
  InventorySystemReadDeps &
  StoreLinkReadDeps &
  InventorySystemDeps &
  StoreLinkDeps &
  ManageDeps &
  WebhookReadDeps &
  DeletionDeps &
  WebhookSecretDeps &
  WebhookTestDeps &
  EventsWebhookReadDeps &
  AcceptPosEventDeps &
  PosStockUpdateDeps &
  DeliveryDeps &
  DeliveryResendDeps &
  HealthDeps &
  MetricsRouteDeps &
  OpenApiDeps &
  AppCallbackDeps &
  SessionRouteDeps &
  PictureDeps &
  ConsolePageDeps;

/** Every endpoint, in the order in which an integrator needs them. Anything else is not served. */
export const ROUTES: readonly Route<RouteDeps>[] = [
  ME_ROUTE,
  SEARCH_ROUTE,
  ...MENU_UPLOAD_ROUTES,
  MENU_CHANGES_ROUTE,
  MENU_PREVIEW_ROUTE,
  ...UPLOAD_STATUS_ROUTES,
  ...UPLOAD_VERSION_ROUTES,
  UPLOAD_SHOWN_ROUTE,
  UPLOAD_CHANGES_ROUTE,
  ...UPLOAD_ACTION_ROUTES,
  ...LIVE_MENU_ROUTES,
  LIVE_CHECK_ROUTE,
  AVAILABILITY_ROUTE,
  ...AVAILABILITY_READ_ROUTES,
  ...ROLLOUT_ROUTES,
  ...ROLLOUT_ACTION_ROUTES,
  ...STORE_ROUTES,
  ...STORE_READ_ROUTES,
  ...STORE_CHANGE_ROUTES,
  STORE_INTEGRATIONS_ROUTE,
  STORE_TIMELINE_ROUTE,
  ...STORE_PAUSE_ROUTES,
  ...SPECIAL_DAYS_ROUTES,
  ...INVENTORY_SYSTEM_ROUTES,
  ...INVENTORY_SYSTEM_READ_ROUTES,
  ...STORE_LINK_ROUTES,
  ...STORE_LINK_READ_ROUTES,
  ...WEBHOOK_ROUTES,
  WEBHOOK_READ_ROUTE,
  ...DELETION_ROUTES,
  ...WEBHOOK_SECRET_ROUTES,
  ...WEBHOOK_TEST_ROUTES,
  ...EVENTS_WEBHOOK_ROUTES,
  ...EVENTS_WEBHOOK_READ_ROUTES,
  ...POS_EVENT_ROUTES,
  ...POS_STOCK_UPDATE_ROUTES,
  ...DELIVERY_ROUTES,
  ...DELIVERY_RESEND_ROUTES,
  ...HEALTH_ROUTES,
  METRICS_ROUTE,
  ...OPENAPI_ROUTES,
  ...DOCS_ROUTES,
  APP_C_CALLBACK_ROUTE,
  APP_D_CALLBACK_ROUTE,
  ...FILE_ROUTES,
  ...SESSION_ROUTES,
  PICTURE_ROUTE,
  ...LINK_ROUTES,
  ...CONSOLE_PAGES,
];
