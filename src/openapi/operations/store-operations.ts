import { storeCreateSchema } from '../../../schemas/store';
import { SMALL_BODY } from '../../http/middleware/read-json';
import { answerOf, ref } from '../answer-schemas';
import type { Operation } from '../operation';

export const STORE_OPERATIONS: readonly Operation[] = [
  {
    id: 'createStore',
    method: 'post',
    path: '/api/v1/store',
    group: 'Stores',
    summary: 'Create a store',
    description: 'You have the store that you create.',
    access: 'token',
    body: {
      name: 'StoreCreate',
      schema: storeCreateSchema,
      maxBytes: SMALL_BODY,
      example: {
        name: 'Centro',
        country_code: 'MX',
        direction: 'Av. Juárez 1',
        latitude: '19.4342',
        longitude: '-99.1413',
      },
    },
    answers: [
      {
        status: 201,
        schema: answerOf(ref('Store')),
        examples: {
          created: {
            message: 'Store successfully created.',
            data: {
              id: 2,
              name: 'Centro',
              country: 'Mexico',
              direction: 'Av. Juárez 1',
              location_point: { type: 'Point', coordinates: [-99.1413, 19.4342] },
            },
          },
        },
      },
      {
        status: 404,
        when: 'You have a store of that name already (case and outer blanks do not count), or you were deleted.',
        sentences: ['This name is not available.', 'User not found.'],
      },
      {
        status: 422,
        fields: {
          name: ['The name field is required.'],
          country_code: [
            'The country code field is required.',
            'The selected country code is invalid.',
          ],
          direction: ['The direction must be a string.'],
          latitude: ['The latitude format is invalid.', 'The latitude field is required.'],
          longitude: ['The longitude format is invalid.', 'The longitude field is required.'],
        },
      },
    ],
  },
];
