import { act, type EndpointCells, field, MADE_BY, MOMENTS, PAGE, read, write } from './cell-table';

const FILTER = [
  ...field('events', 'The selected events is invalid.'),
  ...field(
    'inventory_system_id',
    'The selected inventory system id is invalid.',
    'The inventory system id may not be greater than 255 characters.',
  ),
  ...field('type', 'The selected type is invalid.'),
  ...field('state', 'The selected state is invalid.'),
];

export const DELIVERY_CELLS: readonly EndpointCells[] = [
  read('/webhooks/deliveries/{delivery_id}', {
    200: ['Success.'],
    404: ['The delivery was not found.'],
  }),
  read('/webhooks/deliveries/{delivery_id}/payload', {
    200: ['Success.'],
    404: ['The delivery was not found.', 'The delivery has no payload.'],
    503: ['The service is busy.'],
  }),
  read('/webhooks/deliveries', {
    200: ['Success.'],
    422: [
      ...FILTER,
      ...field('store_id', 'The selected store id is invalid.'),
      ...field(
        'external_id',
        'The external id format is invalid.',
        'The external id may not be greater than 255 characters.',
      ),
      ...field(
        'receiver_status',
        'The receiver status must be a number.',
        'The selected receiver status is invalid.',
      ),
      ...MADE_BY,
      ...PAGE,
    ],
  }),
  act('/webhooks/deliveries/{delivery_id}/resend', {
    202: ['Success.'],
    404: ['The delivery was not found.', 'The webhook was not found.', 'The store was not found.'],
  }),
  write('/webhooks/deliveries/resend', {
    200: ['Success.'],
    202: ['Success.'],
    403: ['You do not have the permissions to access this resource.'],
    422: [
      ...FILTER,
      ...field('inventory_system_id', 'The inventory system id must be a string.'),
      ...field('store_id', 'The selected store id is invalid.'),
      ...field(
        'external_id',
        'The external id must be a string.',
        'The external id may not be greater than 255 characters.',
      ),
      ...field('receiver_status', 'The selected receiver status is invalid.'),
      ...MOMENTS,
      ...field('request_id', 'The request id must be a string.'),
      ...field('dry_run', 'The selected dry run is invalid.'),
    ],
  }),
];
