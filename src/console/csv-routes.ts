import type { Route } from '../http/route';
import { type ConsoleDeps, consoleCsv } from './console-route';
import { fittingFilter } from './pages/deliveries';

/** Every list of the API that a page shows, as a file. A page has a link to it with its own filter. */
export const CSV_ROUTES: readonly Route<ConsoleDeps>[] = [
  consoleCsv({
    id: 'uploads.csv',
    path: '/console/uploads.csv',
    section: 'uploads',
    summary: 'Uploads as CSV',
    routeId: 'listUploads',
  }),
  consoleCsv({
    id: 'deliveries.csv',
    path: '/console/deliveries.csv',
    section: 'deliveries',
    summary: 'Deliveries as CSV',
    routeId: 'listDeliveries',
    fit: fittingFilter,
  }),
  consoleCsv({
    id: 'rollouts.csv',
    path: '/console/rollouts.csv',
    section: 'rollouts',
    summary: 'Rollouts as CSV',
    routeId: 'listRollouts',
  }),
  consoleCsv({
    id: 'targets.csv',
    path: '/console/rollouts/{rollout_id}/targets.csv',
    parameters: { rollout_id: 'rol_1' },
    section: 'rollouts',
    summary: 'The stores of a rollout as CSV',
    routeId: 'listRolloutTargets',
  }),
  consoleCsv({
    id: 'availability.csv',
    path: '/console/availability.csv',
    section: 'availability',
    summary: 'What is off sale as CSV',
    routeId: 'listUnavailable',
  }),
  consoleCsv({
    id: 'stores.csv',
    path: '/console/stores.csv',
    section: 'stores',
    summary: 'Stores as CSV',
    routeId: 'listStores',
  }),
  consoleCsv({
    id: 'timeline.csv',
    path: '/console/stores/{store_id}/timeline.csv',
    parameters: { store_id: '1' },
    section: 'stores',
    summary: 'What happened to a store as CSV',
    routeId: 'storeTimeline',
  }),
  consoleCsv({
    id: 'inventory-systems.csv',
    path: '/console/inventory-systems.csv',
    section: 'webhooks',
    summary: 'Inventory systems as CSV',
    routeId: 'listInventorySystems',
  }),
];
