import { uploadListSchema } from '../../../schemas/lists';
import { menuUploadQuerySchema, menuUploadSchema } from '../../../schemas/menu-upload';
import { SUPERSEDED_MESSAGE } from '../../domain/upload-verdict';
import { answerOf, pageOf, record, ref } from '../answer-schemas';
import { MENU_UPLOAD, UPLOAD, UPLOAD_ID } from '../examples';
import { LARGE_BODY } from '../../http/middleware/read-json';
import type { JsonSchema, ObjectSchema, Operation } from '../operation';

const { properties } = menuUploadSchema;
const entriesOf = (list: JsonSchema, schema: string): JsonSchema => ({
  ...list,
  items: { $ref: `#/components/schemas/${schema}` },
});

/** The shape that requests are checked by, and for readers what is inside of the lists. */
const uploadSchema: ObjectSchema = {
  ...menuUploadSchema,
  properties: {
    ...properties,
    menus: entriesOf(properties.menus, 'Menu'),
    categories: entriesOf(properties.categories, 'Category'),
    items: entriesOf(properties.items, 'Item'),
    modifier_groups: entriesOf(properties.modifier_groups, 'ModifierGroup'),
  },
};

export const MENU_OPERATIONS: readonly Operation[] = [
  {
    id: 'uploadMenu',
    method: 'post',
    path: '/api/v1/menus/upload',
    group: 'Menus',
    summary: 'Upload a menu',
    description:
      'Waits for the outcome, 25 s unless configured otherwise, and answers 202 when there is none yet. From the moment ' +
      'the upload is stored every answer has `X-Upload-Id` and `Location`: it will be carried out whatever happens.\n\n' +
      'Only the newest upload of a store and integration counts; older ones that wait are superseded.',
    access: 'token',
    query: menuUploadQuerySchema,
    headers: ['Prefer'],
    body: {
      name: 'MenuUpload',
      schema: uploadSchema,
      maxBytes: LARGE_BODY,
      example: MENU_UPLOAD,
    },
    answers: [
      {
        status: 200,
        when: 'The delivery app has it.',
        schema: answerOf({ type: 'null' }),
        examples: { uploaded: { message: 'Menu successfully uploaded.', data: null } },
        headers: ['X-Upload-Id', 'Location'],
      },
      {
        status: 202,
        when: 'Not finished yet, or not waited for. It goes on.',
        schema: answerOf(record({ upload_id: { type: 'string' }, status_url: { type: 'string' } })),
        examples: {
          inProgress: {
            message: 'Menu upload in progress.',
            data: { upload_id: UPLOAD_ID, status_url: `/api/v1/menus/uploads/${UPLOAD_ID}` },
          },
        },
        headers: ['X-Upload-Id', 'Location'],
      },
      {
        status: 409,
        when: 'The menu, the integration or the delivery app refuses; all broken rules of the menu at once.',
        sentences: [
          "You don't have this store available.",
          'The menu must have a name.',
          'The category data item external id does not exist: I9',
          'Integration not available.',
          'This store does not have a token for this delivery.',
          'Microservice does not have this integration configured.',
          'This store does not have the store delivery id.',
          'Only one menu is supported by this delivery.',
          'Unable to get token.',
          'Could not upload menu to delivery system.',
          'The delivery system did not accept the whole menu.',
          'The item image must be served over SSL: I1',
          SUPERSEDED_MESSAGE,
        ],
        headers: ['X-Upload-Id', 'Location'],
      },
      {
        status: 422,
        fields: {
          store_id: ['The store id field is required.', 'The selected store id is invalid.'],
          integration_id: ['The integration id field is required.'],
          menus: ['The menus field is required.', 'The menus must be an array.'],
          categories: ['The categories field is required.'],
          items: ['The items field is required.', 'The items may not have more than 10000 items.'],
          modifier_groups: ['The modifier groups field is required.'],
        },
      },
    ],
  },
  {
    id: 'getUpload',
    method: 'get',
    path: '/api/v1/menus/uploads/{upload_id}',
    group: 'Menus',
    summary: 'See one upload',
    description:
      'With its steps, what the delivery app said (`messages`) and what it will not show as sent (`losses`).',
    access: 'token',
    answers: [
      {
        status: 200,
        schema: answerOf(ref('Upload')),
        examples: { uploaded: { message: 'Success.', data: UPLOAD } },
      },
      {
        status: 404,
        when: 'Or its store is somebody else’s.',
        sentences: ['The upload was not found.'],
      },
    ],
  },
  {
    id: 'listUploads',
    method: 'get',
    path: '/api/v1/menus/uploads',
    group: 'Menus',
    summary: 'List uploads',
    description: 'Those of your stores, newest first.',
    access: 'token',
    query: uploadListSchema,
    answers: [
      {
        status: 200,
        schema: pageOf(ref('Upload')),
        examples: { page: { message: 'Success.', data: [UPLOAD], next_cursor: null } },
      },
      {
        status: 422,
        fields: {
          state: ['The selected state is invalid.'],
          limit: ['The limit must be a number.', 'The selected limit is invalid.'],
          cursor: ['The selected cursor is invalid.'],
        },
      },
    ],
  },
];
