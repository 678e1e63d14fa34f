import {
  change,
  type EndpointCells,
  field,
  PAGE,
  PERMISSION_DENIED,
  read,
  remove,
  write,
} from './cell-table';

const FOREIGN_STORE = "You don't have this store available.";
const NO_WEBHOOK = { 404: ['The webhook was not found.'] };

const SYSTEM = field(
  'inventory_system_id',
  'The inventory system id field is required.',
  'The inventory system id must be a string.',
  'The selected inventory system id is invalid.',
  'The inventory system id may not be greater than 255 characters.',
);
const TYPE = field('type', 'The type field is required.', 'The selected type is invalid.');
const SELECT = { ...NO_WEBHOOK, 422: [...SYSTEM, ...TYPE] };

const EXTERNAL_ID = field(
  'external_id',
  'The external id field is required.',
  'The external id must be a string.',
  'The external id may not be greater than 255 characters.',
);

const MOVEMENT = [
  ...EXTERNAL_ID,
  ...field(
    'current_stock',
    'The current stock field is required.',
    'The current stock must be a string.',
    'The current stock format is invalid.',
  ),
  ...field(
    'quantity',
    'The quantity field is required.',
    'The quantity must be a string.',
    'The quantity format is invalid.',
  ),
  ...field(
    'date',
    'The date field is required.',
    'The date must be a string.',
    'The date format is invalid.',
  ),
  ...field(
    'movement_type',
    'The movement type field is required.',
    'The selected movement type is invalid.',
  ),
];

const NAME = field(
  'name',
  'The name field is required.',
  'The name must be a string.',
  'The name may not be greater than 255 characters.',
);
const TAKEN = { 409: ['The Inventory System already exists.'] };
const NO_SYSTEM = { 404: ['The inventory system was not found.'] };
const NO_LINK = { 404: [...NO_SYSTEM[404], 'The link was not found.'] };

const OWNER_INACTIVE = 'The owner of this webhook is inactive.';

export const INVENTORY_CELLS: readonly EndpointCells[] = [
  write('/inventory/system/create', {
    ...PERMISSION_DENIED,
    201: ['Success.'],
    ...TAKEN,
    422: NAME,
  }),
  read('/inventory/system', { 200: ['Success.'], 422: PAGE }),
  read('/inventory/system/{inventory_system_id}', { ...NO_SYSTEM, 200: ['Success.'] }),
  change('/inventory/system/{inventory_system_id}', {
    ...NO_SYSTEM,
    ...TAKEN,
    200: ['Success.'],
    422: NAME,
  }),
  remove('/inventory/system/{inventory_system_id}', NO_SYSTEM),
  read('/inventory/system/{inventory_system_id}/store/link', {
    ...NO_SYSTEM,
    200: ['Success.'],
    422: PAGE,
  }),
  read('/inventory/system/{inventory_system_id}/store/link/{store_id}', {
    ...NO_LINK,
    200: ['Success.'],
  }),
  remove('/inventory/system/{inventory_system_id}/store/link/{store_id}', NO_LINK),
  write('/inventory/system/store/link', {
    200: ['Success.'],
    409: [FOREIGN_STORE, 'The store is linked to too many inventory systems.'],
    422: [
      ...SYSTEM,
      ...field('store_id', 'The store id field is required.', 'The selected store id is invalid.'),
      ...field(
        'external_store_id',
        'The external store id field is required.',
        'The external store id must be a string.',
        'The external store id may not be greater than 255 characters.',
      ),
    ],
  }),
  write('/inventory/system/webhook/manage', {
    200: ['Success.'],
    409: [OWNER_INACTIVE],
    422: [
      ...SYSTEM,
      ...TYPE,
      ...field(
        'url',
        'The url field is required.',
        'The url must be a string.',
        'The url format is invalid.',
        'The url may not be greater than 2048 characters.',
        'The url is not allowed.',
      ),
      ...field(
        'max_in_flight',
        'The max in flight must be a number.',
        'The selected max in flight is invalid.',
      ),
      ...field(
        'max_per_second',
        'The max per second must be a number.',
        'The selected max per second is invalid.',
      ),
      ...field('headers', 'The headers format is invalid.'),
    ],
  }),
  read('/inventory/system/{inventory_system_id}/webhook', {
    ...NO_SYSTEM,
    200: ['Success.'],
    422: PAGE,
  }),
  remove('/inventory/system/{inventory_system_id}/webhook/{type}', {
    404: [...NO_SYSTEM[404], ...NO_WEBHOOK[404]],
  }),
  write('/inventory/system/webhook/secret/rotate', {
    ...NO_WEBHOOK,
    200: ['Success.'],
    422: [
      ...SYSTEM,
      ...TYPE,
      ...field(
        'grace_seconds',
        'The grace seconds must be a number.',
        'The selected grace seconds is invalid.',
      ),
    ],
  }),
  write('/inventory/system/webhook/enable', {
    ...SELECT,
    200: ['Success.'],
    409: [OWNER_INACTIVE],
  }),
  write('/inventory/system/webhook/disable', { ...SELECT, 200: ['Success.'] }),
  write('/inventory/system/webhook/test', {
    ...SELECT,
    200: ['Success.'],
    409: [OWNER_INACTIVE],
  }),
  write('/inventory/system/store/{store_id}/pos/stock/update', {
    200: ['Stock successfully updated.'],
    404: ['The store was not found.'],
    409: [FOREIGN_STORE],
    422: [
      ...SYSTEM,
      ...MOVEMENT,
      ...field('pos_id', 'The pos id field is required.', 'The selected pos id is invalid.'),
    ],
    502: ['The POS system did not answer.', 'The POS system answered unexpectedly.'],
    504: ['The POS system did not answer in time.'],
  }),
  write('/pos/store/{store_id}/inventory/items', {
    400: ['The request body has too many values.'],
    ...PERMISSION_DENIED,
    200: ['No inventory system is linked to this store.'],
    202: ['Inventory data queued.'],
    404: ['The store was not found.'],
    409: [FOREIGN_STORE],
    422: ['units', 'items', 'suppliers'].flatMap((name) =>
      field(name, `The ${name} field is required.`, `The ${name} must be an array.`),
    ),
  }),
  write('/pos/store/{store_id}/inventory/stock', {
    ...PERMISSION_DENIED,
    200: ['Stock update acknowledged.', 'No inventory system is linked to this store.'],
    202: ['Stock update pending.'],
    404: ['The store was not found.'],
    409: [FOREIGN_STORE],
    422: MOVEMENT,
  }),
];
