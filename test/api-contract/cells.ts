import { AVAILABILITY_CELLS } from './availability-cells';
import { CHANGE_CELLS } from './change-cells';
import { ROUTES } from '../../src/run/routes';
import { MATRIX } from './access-matrix';
import { type EndpointCells, merge, open, PERMISSION_DENIED } from './cell-table';
import { DELIVERY_CELLS } from './delivery-cells';
import { EVENTS_CELLS } from './events-cells';
import { INVENTORY_CELLS } from './inventory-cells';
import { LIVE_CHECK_CELLS } from './live-check-cells';
import { ROLLOUT_CELLS } from './rollout-cells';
import { MENU_CELLS } from './menu-cells';
import { STORE_CELLS } from './store-cells';

/*
 * All possible answers of the service, written by hand: endpoint × status × sentence. Tests that talk to the service
 * record its answers; after a whole run each cell must have been met, and nothing else.
 */

/** For paths that do not exist. */
export const UNKNOWN_PATH = 'ANY an unknown path';
/** The header instead of a sentence: an answer that is the POS's. */
export const FROM_POS = 'X-Error-Source: pos';
/** The messages of the systems that refused a stock movement. */
export const RECEIVERS_WORDS = 'the receivers’ own words';
/** An answer that was kept. */
export const REPLAYED = 'Idempotency-Replayed: true';

const SERVICE_CELLS: readonly EndpointCells[] = [
  open('GET /health/live', { 200: [''] }),
  open('GET /health/ready', { 200: [''], 503: [''] }),
  // Unknown if it has a separate port.
  open('GET /metrics', { 200: [''], 404: ['The resource was not found.'] }),
  open('GET /openapi.json', { 200: [''] }),
  open('GET /docs', { 200: [''] }),
];

const TABLES: readonly EndpointCells[] = [
  ...MENU_CELLS,
  ...CHANGE_CELLS,
  ...AVAILABILITY_CELLS,
  ...ROLLOUT_CELLS,
  ...LIVE_CHECK_CELLS,
  ...STORE_CELLS,
  ...INVENTORY_CELLS,
  ...DELIVERY_CELLS,
  ...EVENTS_CELLS,
  ...SERVICE_CELLS,
];

/** With the 403 of who only sees the thing, which the matrix of access has. */
export const ENDPOINTS: readonly EndpointCells[] = TABLES.map((each) =>
  isDenied(each.endpoint) ? { ...each, answers: merge(each.answers, PERMISSION_DENIED) } : each,
);

function isDenied(endpoint: string): boolean {
  const route = ROUTES.find(({ method, path }) => endpoint === `${method.toUpperCase()} ${path}`);
  return route !== undefined && MATRIX[route.id]?.includes(403) === true;
}

/** Passed-through statuses that are tried; any other is allowed as well. */
const POS_STATUSES = [400, 401, 404, 409, 422, 429, 500, 503];
const POS_UPDATE = 'POST /api/v1/inventory/system/store/{store_id}/pos/stock/update';

export const CELLS: ReadonlySet<string> = new Set([
  cell(UNKNOWN_PATH, 404, 'The resource was not found.'),
  ...ENDPOINTS.flatMap(({ endpoint, answers, replays }) => [
    ...Object.entries(answers).flatMap(([status, sentences]) =>
      sentences.map((sentence) => cell(endpoint, Number(status), sentence)),
    ),
    ...(replays ? [cell(endpoint, 'kept', REPLAYED)] : []),
  ]),
  ...POS_STATUSES.map((status) => cell(POS_UPDATE, status, FROM_POS)),
  cell('POST /api/v1/pos/store/{store_id}/inventory/stock', 409, RECEIVERS_WORDS),
]);

export function cell(endpoint: string, status: number | 'kept', sentence: string): string {
  return `${endpoint} | ${status} | ${sentence}`;
}
