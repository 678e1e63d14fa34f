import { type EndpointCells, field, PAGE, read, write } from './cell-table';

const FOREIGN = "You don't have this store available.";

/** Of a list of integrations in a body. */
export const INTEGRATIONS = [
  ...field(
    'integration_ids',
    'The integration ids field is required.',
    'The integration ids must be an array.',
    'The integration ids may not have more than 100 items.',
  ),
  ...field(
    'integration_ids.VALUE',
    'The integration ids field is required.',
    'The integration ids must be a string.',
    'The integration ids may not be greater than 255 characters.',
  ),
];

const STORE_FAILED = 'Could not update the store in delivery system.';

export const AVAILABILITY_CELLS: readonly EndpointCells[] = [
  write('/menus/availability', {
    200: ['Availability successfully updated.'],
    202: ['Availability update in progress.'],
    // Behind it come the reasons, and `data` has the changes.
    409: [FOREIGN, 'Could not update availability in delivery system.'],
    422: [
      ...field('store_id', 'The store id field is required.', 'The selected store id is invalid.'),
      ...INTEGRATIONS,
      ...field(
        'items',
        'The items field is required.',
        'The items must be an array.',
        'The items may not have more than 500 items.',
      ),
      ...field('items.VALUE', 'The items field is required.', 'The items must be an object.'),
      ...field(
        'items.VALUE.external_id',
        'The external id field is required.',
        'The external id must be a string.',
        'The external id may not be greater than 255 characters.',
      ),
      ...field(
        'items.VALUE.available',
        'The available field is required.',
        'The selected available is invalid.',
      ),
      ...field(
        'items.VALUE.until',
        'The until format is invalid.',
        'The selected until is invalid.',
      ),
    ],
  }),
  read('/menus/availability', {
    200: ['Success.'],
    404: ['The store was not found.'],
    422: [
      ...field('store_id', 'The selected store id is invalid.'),
      ...field('integration_id', 'The integration id may not be greater than 255 characters.'),
      ...PAGE,
    ],
  }),
  read('/menus/availability/changes/{change_id}', {
    200: ['Success.'],
    404: ['The change was not found.'],
  }),
  write('/store/{store_id}/pause', {
    200: ['Store successfully paused.'],
    202: ['Store pause in progress.'],
    404: ['The store was not found.'],
    409: [FOREIGN, STORE_FAILED],
    422: [
      ...INTEGRATIONS,
      ...field('until', 'The until format is invalid.', 'The selected until is invalid.'),
      ...field(
        'reason',
        'The reason must be a string.',
        'The reason may not be greater than 100 characters.',
      ),
    ],
  }),
  write('/store/{store_id}/resume', {
    200: ['Store successfully resumed.'],
    202: ['Store resume in progress.'],
    404: ['The store was not found.'],
    409: [FOREIGN, STORE_FAILED],
    422: INTEGRATIONS,
  }),
];
