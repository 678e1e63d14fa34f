import { EXAMPLE_MENU } from '../menus/rules/example-menu';

/** The same ids everywhere, so that the examples of all endpoints fit together. */
export const SYSTEM_ID = '3f0e9d3c-5a6b-4b7e-9a51-0c9f5d2a7e11';
export const UPLOAD_ID = 'upl_01a1fe1f790b9b594112a9ef590f17f0';
export const DELIVERY_ID = 'dlv_01a1fe20c1d17a6e9b0c4f0e8d3a5b66';
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const CREATED_AT = '2026-11-21T12:40:37.902Z';
const FINISHED_AT = '2026-11-21T12:40:38.005Z';

const [menu] = EXAMPLE_MENU.menus;

/** Integration 2 is App B in the demo data; a menu of it is live within a second. */
export const MENU_UPLOAD = { store_id: 1, integration_id: '2', ...EXAMPLE_MENU, menus: [menu] };

export const ROLLOUT_ID = 'rol_01a1fe1f790b9b594112a9ef590f17f0';

export const ROLLOUT = {
  targets: [
    { store_id: 1, integration_id: '2' },
    { store_id: 1, integration_id: '1' },
  ],
  parallel: 10,
  stop_after_failures: 5,
  ...EXAMPLE_MENU,
  menus: [menu],
};

export const ROLLOUT_VIEW = {
  rollout_id: ROLLOUT_ID,
  state: 'running',
  parallel: 10,
  stop_after_failures: 5,
  created_at: CREATED_AT,
  finished_at: null,
  counts: {
    waiting: 979,
    queued: 2,
    running: 8,
    uploaded: 10,
    partly_uploaded: 0,
    failed: 1,
    superseded: 0,
    canceled: 0,
    refused: 0,
  },
  revert: null,
};

export const ROLLOUT_TARGET = {
  store_id: 1,
  integration_id: '2',
  state: 'uploaded',
  upload_id: UPLOAD_ID,
  waiting_for: null,
  messages: [],
  live: true,
};

export const UPLOAD_END = {
  upload_id: UPLOAD_ID,
  store_id: 1,
  integration_id: '2',
  state: 'uploaded',
  created_at: CREATED_AT,
  finished_at: FINISHED_AT,
  next_attempt_at: null,
  messages: [],
  loss_counts: { block: 0, warn: 1, info: 0 },
  republished_from: null,
  rollout_id: null,
  user_id: 'usr_01a1fe1f790b9b594112a9ef590f17f0',
  request_id: '5b2a8c1e-7d64-4f0b-9a55-0f6d2c8e4b17',
  trace_url: null,
};

export const UPLOAD_SUMMARY = { ...UPLOAD_END, waiting_for: null };

export const UPLOAD = {
  ...UPLOAD_SUMMARY,
  losses: [
    {
      code: 'promotion_price_ignored',
      severity: 'warn',
      pointer: '/categories/0/data_items/0',
      external_id: 'I1',
      message: 'The item promotion price is not supported by this delivery: I1',
    },
  ],
  steps: [
    {
      name: 'token',
      state: 'done',
      attempts: 1,
      started_at: '2026-11-21T12:40:37.956Z',
      finished_at: '2026-11-21T12:40:37.967Z',
    },
  ],
};

export const DRIFTED = { state: 'changed', checked_at: FINISHED_AT, changes_count: 1 };

export const LIVE_MENU = {
  integration_id: '2',
  upload_id: UPLOAD_ID,
  live_since: FINISHED_AT,
  drift: { state: 'unknown', checked_at: null, changes_count: null },
};

export const SYSTEM = {
  inventory_system_id: SYSTEM_ID,
  inventory_system_details: { name: 'Stock Inc' },
};

export const LINK = { inventory_system_id: SYSTEM_ID, store_id: 1, external_store_id: 'S-77' };

export const NEW_STORE = {
  id: 2,
  name: 'Centro',
  country: 'Mexico',
  direction: 'Av. Juárez 1',
  location_point: { type: 'Point', coordinates: [-99.1413, 19.4342] },
  time_zone: 'America/Mexico_City',
};

export const STORE = { ...NEW_STORE, availability_from_stock: 'off' };

export const WEBHOOK = {
  type: 2,
  inventory_system_id: SYSTEM_ID,
  url: 'https://stock.example/hooks',
  state: 'enabled',
  disabled_reason: null,
};

export const WEBHOOK_HEALTH = {
  type: 2,
  url: 'https://stock.example/hooks',
  state: 'enabled',
  disabled_reason: null,
  max_in_flight: 20,
  max_per_second: null,
  header_names: ['X-Api-Key'],
  health: {
    consecutive_failures: 0,
    failing_since: null,
    paused_until: null,
    pending: 0,
    oldest_pending_at: null,
    last_success_at: FINISHED_AT,
    attempts_1h: 120,
    failures_1h: 1,
    p50_ms: 12,
    p99_ms: 90,
  },
};

export const EVENTS_WEBHOOK = {
  url: 'https://platform.example/events',
  events: ['upload.ended', 'webhook.disabled'],
  state: 'enabled',
  disabled_reason: null,
  max_in_flight: 20,
  max_per_second: 50,
  header_names: ['X-Api-Key'],
};

export const EVENTS_WEBHOOK_HEALTH = { ...EVENTS_WEBHOOK, health: WEBHOOK_HEALTH.health };

export const NEW_WEBHOOK = {
  type: 2,
  inventory_system_id: SYSTEM_ID,
  url: 'https://stock.example/hooks',
  state: 'enabled',
  max_in_flight: 20,
  max_per_second: 50,
  header_names: ['X-Api-Key'],
  secret: SECRET,
};

export const ROTATED = {
  secret: SECRET,
  previous_valid_until: '2026-11-22T12:40:37.902Z',
  previous: [{ valid_until: '2026-11-22T12:40:37.902Z' }],
};

export const DELIVERY_END = {
  delivery_id: DELIVERY_ID,
  inventory_system_id: SYSTEM_ID,
  type: 2,
  store_id: 1,
  state: 'acknowledged',
  attempts_made: 1,
  next_attempt_at: null,
  created_at: CREATED_AT,
  finished_at: FINISHED_AT,
  receiver_status: 204,
  message: null,
};

export const DELIVERY = { ...DELIVERY_END, waiting_for: null };

export const DELIVERY_WITH_ATTEMPTS = {
  ...DELIVERY,
  attempts: [
    {
      number: 1,
      started_at: '2026-11-21T12:40:37.956Z',
      duration_ms: 12,
      status: 204,
      error: null,
      detail: null,
      response: null,
    },
  ],
};

export const EVENT_TEST_DELIVERY = {
  ...DELIVERY_WITH_ATTEMPTS,
  inventory_system_id: null,
  type: 'webhook.test',
  store_id: null,
  state: 'delivered',
};

export const DELIVERY_OUTCOME = {
  delivery_id: DELIVERY_ID,
  inventory_system_id: SYSTEM_ID,
  state: 'acknowledged',
  receiver_status: 204,
  message: null,
};

export const MOVEMENT = {
  external_id: 'margherita',
  current_stock: '9',
  quantity: '1',
  date: '2026-11-21T10:00:00Z',
  movement_type: 2,
};

export const CHANGE_ID = 'avc_01a1fe21a2d17a6e9b0c4f0e8d3a5b67';

export const CHANGE_OUTCOME = {
  change_id: CHANGE_ID,
  integration_id: '2',
  state: 'done',
  waiting_for: null,
  messages: [],
};

export const CHANGE_END = {
  change_id: CHANGE_ID,
  store_id: 1,
  integration_id: '2',
  kind: 'items',
  state: 'done',
  messages: [],
  items: [{ external_id: 'margherita', state: 'done', message: null }],
  created_at: CREATED_AT,
  finished_at: FINISHED_AT,
};

export const CHANGE = { ...CHANGE_END, waiting_for: null };

export const UNAVAILABLE_ITEM = {
  external_id: 'margherita',
  store_id: 1,
  integration_id: '2',
  until: null,
  since: CREATED_AT,
  source: 'api',
  state: 'done',
  message: null,
  waiting_for: null,
};
