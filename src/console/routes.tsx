import type { Route } from '../http/route';
import { findOldestDueMs } from '../metrics/queue-age';
import { AppError } from '../platform/errors';
import { isId } from '../platform/ids';
import { APP_PAGES } from './app-routes';
import { consoleAction, consolePage, consoleRedirect, LARGEST_PAGE } from './console-route';
import { MENU_PAGES } from './menu-routes';
import {
  DeliveriesPage,
  type DeliveryEntry,
  DeliveryPage,
  fittingFilter,
  type WholeDelivery,
} from './pages/deliveries';
import { OverviewPage } from './pages/overview';
import {
  type LiveEntry,
  type StoreEntry,
  type StoreIntegration,
  StorePage,
  StoresPage,
} from './pages/stores';
import { UploadPage, type WholeUpload } from './pages/upload';
import { type UploadEntry, UploadsPage } from './pages/uploads';
import { PREVIEW_PAGES } from './preview-routes';
import { readWrongInApps } from './read-wrong-now';
import { countDeliveriesOfHour } from './sql/deliveries-of-hour';
import { listFailedPublications } from './sql/failed-publications';
import { nameRows } from './sql/names';
import { countUploadsOfDay, listTroubledWebhooks } from './sql/overview';
import { USER_PAGES, type UserPageDeps } from './user-routes';
import { WEBHOOK_PAGES, type WebhookPageDeps } from './webhook-routes';

export type ConsolePageDeps = WebhookPageDeps & UserPageDeps;

const UPLOAD = { upload_id: 'upl_1' };
const DELIVERY = { delivery_id: 'dlv_1' };

const KINDS = { upl: 'uploads', dlv: 'deliveries', rol: 'rollouts' } as const;

/** Whether there is such a row is for its page to say. */
function pageOfId(id: string): string {
  const kind = (['upl', 'dlv', 'rol'] as const).find((prefix) => isId(prefix, id));
  if (kind) return `/console/${KINDS[kind]}/${id}`;
  throw new AppError(
    'not_found',
    'This is not the id of an upload (upl_…), a delivery (dlv_…) or a rollout (rol_…).',
  );
}

/** Pages for signed-in users, and the actions of their forms. */
export const CONSOLE_PAGES: readonly Route<ConsolePageDeps>[] = [
  consolePage({
    id: 'overview',
    path: '/console',
    section: 'overview',
    summary: 'What is wrong now, and what happened lately',
    async show({ sql }: ConsolePageDeps, { ask, frame, viewer }) {
      const [stores, webhooks, failedPublications, inApps, uploads, deliveries, oldestDueMs] =
        await Promise.all([
          ask('listStores', { query: { limit: '1' } }),
          listTroubledWebhooks(sql, viewer),
          listFailedPublications(sql, viewer),
          readWrongInApps(sql, viewer),
          countUploadsOfDay(sql, viewer),
          countDeliveriesOfHour(sql, viewer),
          findOldestDueMs(sql),
        ]);
      const overview = {
        viewer,
        hasStores: (stores.data as readonly StoreEntry[]).length > 0,
        webhooks,
        failedPublications,
        inApps,
        uploads,
        deliveries,
        oldestDueSeconds: Math.round(oldestDueMs / 1_000),
      };
      return <OverviewPage frame={frame('Overview')} overview={overview} />;
    },
  }),
  consoleRedirect({
    id: 'find',
    path: '/console/find',
    section: 'overview',
    summary: 'The page of an upload, a delivery or a rollout, by its id',
    to: ({ id = '' }) => pageOfId(id.trim()),
  }),
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
      const deliveries = data as DeliveryEntry[];
      const names = await nameRows(sql, viewer, deliveries);
      return (
        <DeliveriesPage
          frame={frame('Deliveries')}
          {...{ deliveries, names, filter, nextCursor }}
        />
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
      const names = await nameRows(sql, viewer, [delivery]);
      const title = `Delivery ${delivery.delivery_id}`;
      return <DeliveryPage frame={frame(title)} {...{ delivery, names }} />;
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
    async show(_deps: ConsolePageDeps, { ask, params, frame }) {
      const { data } = await ask('getStore', { params });
      const store = data as StoreEntry;
      const [connected, liveMenus] = await Promise.all([
        ask('listStoreIntegrations', { params, query: LARGEST_PAGE }),
        ask('listLiveMenus', { query: { store_id: String(store.id), ...LARGEST_PAGE } }),
      ]);
      const integrations = connected.data as StoreIntegration[];
      const live = liveMenus.data as LiveEntry[];
      return <StorePage frame={frame(store.name)} {...{ store, integrations, live }} />;
    },
  }),
  ...APP_PAGES,
  ...MENU_PAGES,
  ...PREVIEW_PAGES,
];
