import { type EndpointCells, field, PAGE, read, set, write } from './cell-table';

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
  read('/store/{store_id}/special-days', {
    200: ['Success.'],
    404: ['The store was not found.'],
    409: [FOREIGN],
  }),
  set('/store/{store_id}/special-days', {
    200: ['Special days successfully set.'],
    202: ['Special days in progress.'],
    404: ['The store was not found.'],
    409: [FOREIGN, STORE_FAILED, 'The store must have a time zone.'],
    422: [
      ...INTEGRATIONS,
      ...field(
        'days',
        'The days field is required.',
        'The days must be an array.',
        'The days may not have more than 100 items.',
      ),
      ...field('days.VALUE', 'The days field is required.', 'The days must be an object.'),
      ...field(
        'days.VALUE.date',
        'The date field is required.',
        'The date format is invalid.',
        'The selected date is invalid.',
      ),
      ...field('days.VALUE.closed', 'The selected closed is invalid.'),
      ...field(
        'days.VALUE.periods',
        'The periods field is required.',
        'The periods must be an array.',
        'The periods may not have more than 48 items.',
        'The selected periods is invalid.',
      ),
      ...field(
        'days.VALUE.periods.VALUE',
        'The periods field is required.',
        'The periods must be an object.',
      ),
      ...field(
        'days.VALUE.periods.VALUE.start',
        'The start field is required.',
        'The start format is invalid.',
      ),
      ...field(
        'days.VALUE.periods.VALUE.end',
        'The end field is required.',
        'The end format is invalid.',
      ),
      ...field(
        'days.VALUE.name',
        'The name must be a string.',
        'The name may not be greater than 50 characters.',
      ),
    ],
  }),
];
