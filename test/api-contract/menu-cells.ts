import {
  act,
  ask,
  type EndpointCells,
  field,
  MADE_BY,
  open,
  PAGE,
  read,
  write,
} from './cell-table';
import { MENU_REFUSALS } from './menu-sentences';

const IMAGES = [
  'The item image must be served over SSL: VALUE',
  'The item image must be a JPEG, PNG or GIF: VALUE',
  'The item image must be under 10 MB: VALUE',
  'The item image must be between 320 and 1144 pixels wide and high: VALUE',
  'The item image could not be read: VALUE',
];

/** Possible errors in the four lists of a menu. */
const MENU_LISTS = [
  ...field(
    'menus',
    'The menus field is required.',
    'The menus must be an array.',
    'The menus may not have more than 20 items.',
  ),
  ...field(
    'categories',
    'The categories field is required.',
    'The categories must be an array.',
    'The categories may not have more than 2000 items.',
  ),
  ...field(
    'items',
    'The items field is required.',
    'The items must be an array.',
    'The items may not have more than 10000 items.',
  ),
  ...field(
    'modifier_groups',
    'The modifier groups field is required.',
    'The modifier groups must be an array.',
    'The modifier groups may not have more than 5000 items.',
  ),
];

export const MENU_CELLS: readonly EndpointCells[] = [
  write('/menus/upload', {
    400: ['The request body has too many values.'],
    200: ['Menu successfully uploaded.'],
    202: ['Menu upload in progress.'],
    422: [
      ...field('store_id', 'The store id field is required.', 'The selected store id is invalid.'),
      ...field(
        'integration_id',
        'The integration id field is required.',
        'The integration id must be a string.',
        'The integration id may not be greater than 255 characters.',
      ),
      ...MENU_LISTS,
      ...field('skip_unchanged', 'The selected skip unchanged is invalid.'),
    ],
    409: [
      "You don't have this store available.",
      ...MENU_REFUSALS,
      'Integration not available.',
      'This store does not have a token for this delivery.',
      'Microservice does not have this integration configured.',
      'This store does not have the store delivery id.',
      'Only one menu is supported by this delivery.',
      'Unable to get token.',
      'Could not upload menu to delivery system.',
      'The delivery system did not accept the token.',
      'The delivery system did not accept the whole menu.',
      ...IMAGES,
      'A newer menu replaced this upload.',
      'The upload was canceled.',
    ],
  }),
  ask('/menus/preview', {
    200: ['Menu preview.'],
    400: ['The request body has too many values.'],
    409: ["You don't have this store available.", ...MENU_REFUSALS],
    422: [
      ...field('store_id', 'The store id field is required.', 'The selected store id is invalid.'),
      ...field(
        'integration_ids',
        'The integration ids field is required.',
        'The integration ids must be an array.',
        'The integration ids may not have more than 20 items.',
      ),
      ...field(
        'integration_ids.VALUE',
        'The integration ids field is required.',
        'The integration ids must be a string.',
        'The integration ids may not be greater than 255 characters.',
      ),
      ...MENU_LISTS,
      ...field('include', 'The selected include is invalid.'),
      ...field('check_images', 'The selected check images is invalid.'),
    ],
  }),
  read('/menus/uploads/{upload_id}', {
    200: ['Success.'],
    404: ['The upload was not found.'],
  }),
  read('/menus/uploads', {
    200: ['Success.'],
    422: [
      ...field('store_id', 'The selected store id is invalid.'),
      ...field('integration_id', 'The integration id may not be greater than 255 characters.'),
      ...field('state', 'The selected state is invalid.'),
      ...MADE_BY,
      ...PAGE,
    ],
  }),
  read('/menus/uploads/{upload_id}/menu', {
    200: ['Success.'],
    404: ['The upload was not found.'],
    503: ['The service is busy.'],
  }),
  read('/menus/uploads/{upload_id}/payload', {
    200: ['Success.'],
    404: ['The upload was not found.', 'The upload has no payload.'],
    503: ['The service is busy.'],
  }),
  read('/menus/uploads/{upload_id}/shown', {
    200: ['Success.'],
    404: ['The upload was not found.', 'The upload has no payload.'],
    503: ['The service is busy.'],
  }),
  read('/menus/uploads/{upload_id}/changes', {
    // Lines have no sentence.
    200: ['Success.', ''],
    404: ['The upload was not found.'],
    422: [...field('against', 'The selected against is invalid.'), ...PAGE],
    503: ['The service is busy.'],
  }),
  act('/menus/uploads/{upload_id}/republish', {
    200: ['Menu successfully uploaded.'],
    202: ['Menu upload in progress.'],
    404: ['The upload was not found.'],
    409: [
      'The store must have a time zone.',
      'Integration not available.',
      'This store does not have a token for this delivery.',
      'Microservice does not have this integration configured.',
      'This store does not have the store delivery id.',
      'Could not upload menu to delivery system.',
      'A newer menu replaced this upload.',
      'The upload was canceled.',
    ],
    422: [
      ...field('store_id', 'The selected store id is invalid.'),
      ...field('skip_unchanged', 'The selected skip unchanged is invalid.'),
    ],
    503: ['The service is busy.'],
  }),
  act('/menus/uploads/{upload_id}/cancel', {
    200: ['Success.'],
    404: ['The upload was not found.'],
    409: ['The upload can no longer be canceled.'],
  }),
  read('/menus/live', {
    200: ['Success.'],
    404: ['The store was not found.'],
    409: ["You don't have this store available."],
    422: [
      ...field('store_id', 'The store id field is required.', 'The selected store id is invalid.'),
      ...PAGE,
    ],
  }),
  open('POST /callbacks/app-d/{integration_id}', {
    200: ['Success.'],
    401: ['Unauthorized.'],
    413: ['The request body is too large.'],
    429: ['Too many requests.'],
    503: ['The service is busy.'],
  }),
  open('POST /callbacks/app-c/{integration_id}', {
    200: [''],
    401: ['Unauthorized.'],
    413: ['The request body is too large.'],
    429: ['Too many requests.'],
    503: ['The service is busy.', 'Something went wrong.'],
  }),
];
