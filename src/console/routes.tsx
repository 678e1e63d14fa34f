import type { Route } from '../http/route';
import { findOldestDueMs } from '../metrics/queue-age';
import { APP_PAGES } from './app-routes';
import { consoleAction, consolePage } from './console-route';
import { CSV_ROUTES } from './csv-routes';
import { FIND_PAGE } from './find-route';
import { MENU_PAGES } from './menu-routes';
import { DeliveriesPage, type DeliveryEntry, fittingFilter } from './pages/deliveries';
import { DeliveryPage, type WholeDelivery } from './pages/delivery';
import { OverviewPage } from './pages/overview';
import { StorePage } from './pages/store';
import { type StoreEntry, StoresPage } from './pages/stores';
import { UploadPage, type WholeUpload } from './pages/upload';
import { type UploadEntry, UploadsPage } from './pages/uploads';
import { PREVIEW_PAGES } from './preview-routes';
import { RESEND_PAGES, type ResendPageDeps } from './resend-routes';
import { STORE_MENU_PAGE, type StoreMenuDeps } from './store-menu-route';
import { readLately } from './read-lately';
import { readStorePage, type StorePageDeps } from './read-store-page';
import { readTroubles } from './read-troubles';
import { nameRows } from './sql/names';
import { listTroubledWebhooks } from './sql/overview';
import { listFailedRollouts } from './sql/wrong-now';
import { USER_PAGES, type UserPageDeps } from './user-routes';
import { withItems } from './with-items';
import { WEBHOOK_PAGES, type WebhookPageDeps } from './webhook-routes';

export type ConsolePageDeps = WebhookPageDeps &
  StorePageDeps &
  StoreMenuDeps &
  ResendPageDeps &
  UserPageDeps;

const UPLOAD = { upload_id: 'upl_1' };
const DELIVERY = { delivery_id: 'dlv_1' };

/** Pages for signed-in users, and the actions of their forms. */
export const CONSOLE_PAGES: readonly Route<ConsolePageDeps>[] = [
  consolePage({
    id: 'overview',
    path: '/console',
    section: 'overview',
    summary: 'What is wrong now, and what happened lately',
    async show(deps: ConsolePageDeps, { ask, frame, viewer }) {
      const { sql } = deps;
      const [stores, troubles, webhooks, rollouts, lately, oldestDueMs] = await Promise.all([
        ask('listStores', { query: { limit: '1' } }),
        readTroubles(deps, viewer),
        listTroubledWebhooks(sql, viewer),
        listFailedRollouts(sql, viewer),
        readLately(sql, viewer),
        findOldestDueMs(sql),
      ]);
      const overview = {
        viewer,
        hasStores: (stores.data as readonly StoreEntry[]).length > 0,
        troubles,
        webhooks,
        rollouts,
        lately,
        oldestDueSeconds: Math.round(oldestDueMs / 1_000),
      };
      return <OverviewPage frame={frame('Overview')} overview={overview} />;
    },
  }),
  FIND_PAGE,
  consolePage({
    id: 'uploads',
    path: '/console/uploads',
    section: 'uploads',
    summary: 'Uploads',
    async show({ sql }: ConsolePageDeps, { ask, filter, frame, viewer }) {
      const { data, next_cursor: nextCursor } = await ask('listUploads', { query: filter });
      const uploads = data as UploadEntry[];
      const names = await nameRows(sql, viewer, uploads);
      return <UploadsPage frame={frame('Uploads')} {...{ uploads, names, filter, nextCursor }} />;
    },
  }),
  consolePage({
    id: 'upload',
    path: '/console/uploads/{upload_id}',
    parameters: UPLOAD,
    section: 'uploads',
    summary: 'One upload',
    async show({ sql }: ConsolePageDeps, { ask, params, frame, viewer }) {
      const { data } = await ask('getUpload', { params });
      const upload = data as WholeUpload;
      const names = await nameRows(sql, viewer, [upload]);
      return <UploadPage frame={frame(`Upload ${upload.upload_id}`)} {...{ upload, names }} />;
    },
  }),
  consoleAction({
    id: 'republish',
    path: '/console/uploads/{upload_id}/republish',
    parameters: UPLOAD,
    section: 'uploads',
    summary: 'Publish a menu again',
    routeId: 'republishUpload',
    request: (params) => ({ params }),
    next: (_params, answer) => `/console/uploads/${answer.headers.get('x-upload-id')}`,
  }),
  consoleAction({
    id: 'cancel',
    path: '/console/uploads/{upload_id}/cancel',
    parameters: UPLOAD,
    section: 'uploads',
    summary: 'Cancel an upload',
    routeId: 'cancelUpload',
    request: (params) => ({ params }),
    next: (params) => `/console/uploads/${params['upload_id']}`,
  }),
  consolePage({
    id: 'deliveries',
    path: '/console/deliveries',
    section: 'deliveries',
    summary: 'Deliveries',
    async show({ sql }: ConsolePageDeps, { ask, filter: given, frame, viewer }) {
      const filter = fittingFilter(given);
      const { data, next_cursor: nextCursor } = await ask('listDeliveries', { query: filter });
      const messages = await withItems(sql, viewer, data as DeliveryEntry[]);
      return (
        <DeliveriesPage frame={frame('Deliveries')} {...{ ...messages, filter, nextCursor }} />
      );
    },
  }),
  consolePage({
    id: 'delivery',
    path: '/console/deliveries/{delivery_id}',
    parameters: DELIVERY,
    section: 'deliveries',
    summary: 'One delivery',
    async show({ sql }: ConsolePageDeps, { ask, params, frame, viewer }) {
      const { data } = await ask('getDelivery', { params });
      const delivery = data as WholeDelivery;
      const { names, carried } = await withItems(sql, viewer, [delivery]);
      const title = `Delivery ${delivery.delivery_id}`;
      return <DeliveryPage frame={frame(title)} {...{ delivery, names, carried }} />;
    },
  }),
  consoleAction({
    id: 'resend',
    path: '/console/deliveries/{delivery_id}/resend',
    parameters: DELIVERY,
    section: 'deliveries',
    summary: 'Send a delivery again',
    routeId: 'resendDelivery',
    request: (params) => ({ params }),
    next: (params) => `/console/deliveries/${params['delivery_id']}`,
  }),
  ...RESEND_PAGES,
  ...WEBHOOK_PAGES,
  ...USER_PAGES,
  consolePage({
    id: 'stores',
    path: '/console/stores',
    section: 'stores',
    summary: 'Stores',
    async show(_deps: ConsolePageDeps, { ask, filter, frame, viewer }) {
      const { data, next_cursor: nextCursor } = await ask('listStores', { query: filter });
      const stores = data as StoreEntry[];
      return <StoresPage frame={frame('Stores')} {...{ viewer, stores, nextCursor }} />;
    },
  }),
  consolePage({
    id: 'store',
    path: '/console/stores/{store_id}',
    parameters: { store_id: '1' },
    section: 'stores',
    summary: 'One store',
    async show(deps: ConsolePageDeps, request) {
      const { ask, params, frame } = request;
      const store = (await ask('getStore', { params })).data as StoreEntry;
      const view = await readStorePage(deps, request, store);
      return <StorePage frame={frame(store.name)} {...{ store, view }} />;
    },
  }),
  ...APP_PAGES,
  ...MENU_PAGES,
  ...PREVIEW_PAGES,
  STORE_MENU_PAGE,
  ...CSV_ROUTES,
];
