import { type EndpointCells, field, write } from './cell-table';

export const LIVE_CHECK_CELLS: readonly EndpointCells[] = [
  write('/menus/live/check', {
    200: ['Success.'],
    202: ['Check in progress.'],
    409: [
      "You don't have this store available.",
      'Integration not available.',
      'This delivery cannot be read back.',
      'This store does not have a token for this delivery.',
      'Microservice does not have this integration configured.',
      'This store does not have the store delivery id.',
      'No menu is live in this delivery.',
    ],
    422: [
      ...field('store_id', 'The store id field is required.', 'The selected store id is invalid.'),
      ...field(
        'integration_id',
        'The integration id field is required.',
        'The integration id must be a string.',
        'The integration id may not be greater than 255 characters.',
      ),
    ],
  }),
];
