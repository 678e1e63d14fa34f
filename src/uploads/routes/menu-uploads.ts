import { menuUploadQuerySchema } from '../../../schemas/menu-upload';
import { acceptUpload, type AcceptUploadDeps, wakeAndWait } from '../accept-upload';
import { SUPERSEDED_MESSAGE } from '../upload-verdict';
import { answerOf, ref } from '../../contract/answer-schemas';
import type { Success } from '../../contract/answers';
import { UPLOAD_ID } from '../../contract/examples';
import { MENU_UPLOAD_BODY } from '../menu-upload-body';
import { query, type Route, route, token } from '../../http/route';
import { answerUpload, pointToUpload, prefersAsync } from '../upload-answers';

/** The answers to an upload that was accepted. */
export const UPLOAD_SUCCESSES: readonly [Success, Success] = [
  {
    status: 200,
    when: 'The menu is live in the delivery app.',
    schema: ref('Done'),
    examples: { uploaded: { message: 'Menu successfully uploaded.', data: null } },
    headers: ['X-Upload-Id', 'Location'],
  },
  {
    status: 202,
    when: 'Not finished yet, or the caller did not wait. The upload continues.',
    schema: answerOf(ref('AcceptedUpload')),
    examples: {
      inProgress: {
        message: 'Menu upload in progress.',
        data: { upload_id: UPLOAD_ID, status_url: `/api/v1/menus/uploads/${UPLOAD_ID}` },
      },
    },
    headers: ['X-Upload-Id', 'Location'],
    link: { operation: 'getUpload', parameter: 'upload_id', pointer: '/data/upload_id' },
  },
];

export const MENU_UPLOAD_ROUTES: readonly Route<AcceptUploadDeps>[] = [
  route({
    id: 'uploadMenu',
    method: 'post',
    path: '/api/v1/menus/upload',
    parameters: {},
    group: 'Menus',
    summary: 'Upload a menu',
    description:
      'Waits for the outcome, 25 s unless configured otherwise, and answers 202 if there is none yet. Once ' +
      'the upload is stored, every answer has `X-Upload-Id` and `Location`: from then on it is carried out whatever happens to the connection.\n\n' +
      'Only the newest upload of a store and integration counts; older ones that wait are superseded.',
    access: token({ acts: true }),
    idempotency: 'kept',
    query: query(menuUploadQuerySchema),
    headers: ['Prefer'],
    body: MENU_UPLOAD_BODY,
    answers: [
      ...UPLOAD_SUCCESSES,
      {
        status: 409,
        when: 'The menu, the integration or the delivery app refuses; all broken rules of the menu at once.',
        sentences: [
          "You don't have this store available.",
          'The menu must have a name.',
          'The category data item external id does not exist: I9',
          'The store must have a time zone.',
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
    async handle(deps: AcceptUploadDeps, { ctx, body, query: { skip_unchanged } }) {
      const upload = await acceptUpload(deps, ctx.state, {
        storeId: body.store_id,
        integrationId: body.integration_id,
        menu: body.menu,
        sentBeside: body.sentBeside,
        skipUnchanged: skip_unchanged === 'true',
        republishedFrom: null,
        waits: !prefersAsync(ctx),
      });
      pointToUpload(ctx, upload.uploadId);
      // Called after the body's memory was freed, see `AfterBody`.
      return async () => answerUpload(ctx, upload.uploadId, await wakeAndWait(deps, upload));
    },
  }),
];
