import {
  change,
  type EndpointCells,
  field,
  MOMENTS,
  PAGE,
  read,
  remove,
  SEARCHED,
  write,
} from './cell-table';

const NAME = field(
  'name',
  'The name field is required.',
  'The name must be a string.',
  'The name may not be greater than 255 characters.',
);

const STORE_FIELDS = [
  ...NAME,
  ...field(
    'country_code',
    'The country code field is required.',
    'The selected country code is invalid.',
  ),
  ...field(
    'direction',
    'The direction must be a string.',
    'The direction may not be greater than 2000 characters.',
  ),
  ...field('latitude', 'The latitude field is required.', 'The latitude format is invalid.'),
  ...field('longitude', 'The longitude field is required.', 'The longitude format is invalid.'),
  ...field('time_zone', 'The selected time zone is invalid.'),
];

const OF_STORE = {
  404: ['The store was not found.'],
  409: ["You don't have this store available."],
};

export const STORE_CELLS: readonly EndpointCells[] = [
  read('/me', { 200: ['Success.'] }),
  write(
    '/store',
    {
      201: ['Store successfully created.'],
      404: ['This name is not available.', 'User not found.'],
      422: STORE_FIELDS,
    },
    { 409: ['User not authenticated.'] },
  ),
  read('/search', { 200: ['Success.'], 422: SEARCHED }),
  read('/store', { 200: ['Success.'], 422: [...SEARCHED, ...PAGE] }),
  read('/store/{store_id}', { ...OF_STORE, 200: ['Success.'] }),
  change('/store/{store_id}', {
    200: ['Store successfully updated.'],
    404: [...OF_STORE[404], 'This name is not available.'],
    409: [...OF_STORE[409], 'The store must have a time zone.'],
    422: [
      ...STORE_FIELDS,
      ...field(
        'availability_from_stock',
        'The availability from stock field is required.',
        'The selected availability from stock is invalid.',
      ),
    ],
  }),
  remove('/store/{store_id}', {
    ...OF_STORE,
    403: ['You do not have the permissions to access this resource.'],
  }),
  read('/store/{store_id}/integrations', { ...OF_STORE, 200: ['Success.'], 422: PAGE }),
  read('/store/{store_id}/timeline', {
    ...OF_STORE,
    200: ['Success.'],
    422: [...MOMENTS, ...PAGE],
  }),
];
