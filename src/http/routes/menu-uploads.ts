import { menuUploadQuerySchema } from '../../../schemas/menu-upload';
import type { Config } from '../../config';
import { findConnection } from '../../db/integrations';
import { findDeliveryApp } from '../../delivery-apps/registry';
import { SUPERSEDED_MESSAGE } from '../../domain/upload-verdict';
import { AppError } from '../../errors';
import { answerOf } from '../../openapi/answer-schemas';
import { UPLOAD_ID } from '../../openapi/examples';
import { record } from '../../openapi/record';
import { findNamedStore, parseRowId, requireStore } from '../guards';
import { type CheckedUpload, MENU_UPLOAD_BODY } from '../menu-upload-body';
import { query, type Route, route, token } from '../route';
import {
  type AcceptedUpload,
  finishUpload,
  type SendUploadDeps,
  storeUpload,
} from '../send-upload';
import type { RequestContext } from '../state';

export interface MenuUploadDeps extends SendUploadDeps {
  readonly settings: Pick<Config, 'UPLOAD_WAIT' | 'APP_D'>;
}

export const MENU_UPLOAD_ROUTES: readonly Route<MenuUploadDeps>[] = [
  route({
    id: 'uploadMenu',
    method: 'post',
    path: '/api/v1/menus/upload',
    parameters: {},
    group: 'Menus',
    summary: 'Upload a menu',
    description:
      'Waits for the outcome, 25 s unless configured otherwise, and answers 202 when there is none yet. From the moment ' +
      'the upload is stored every answer has `X-Upload-Id` and `Location`: it will be carried out whatever happens.\n\n' +
      'Only the newest upload of a store and integration counts; older ones that wait are superseded.',
    access: token(),
    idempotency: 'kept',
    query: query(menuUploadQuerySchema),
    headers: ['Prefer'],
    body: MENU_UPLOAD_BODY,
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
    async handle(deps: MenuUploadDeps, { ctx, body, query: { skip_unchanged } }) {
      const upload = await acceptUpload(deps, ctx, body, skip_unchanged === 'true');
      const stored = await storeUpload(deps, ctx, upload);
      return () => finishUpload(deps, ctx, stored);
    },
  }),
];

/** Every check of an upload behind its shape, in the order of the contract: access, menu rules, integration. */
async function acceptUpload(
  deps: MenuUploadDeps,
  ctx: RequestContext,
  { store_id, integration_id, menu }: CheckedUpload,
  skipUnchanged: boolean,
): Promise<AcceptedUpload> {
  const { caller } = ctx.state;
  const access = await findNamedStore(deps.sql, caller, store_id);
  requireStore(caller, access);
  if (!menu.ok) throw new AppError('menu_invalid', menu.sentences, { details: menu.details });
  const integrationId = parseRowId(integration_id);
  await requireUsableIntegration(deps, access.storeId, integrationId, menu.menuCount);
  return {
    key: { storeId: access.storeId, integrationId: integrationId ?? 0 },
    menuText: menu.text,
    skipUnchanged,
  };
}

function refuse(sentence: string): AppError {
  return new AppError('integration_unusable', sentence);
}

async function requireUsableIntegration(
  { sql, settings }: Pick<MenuUploadDeps, 'sql' | 'settings'>,
  storeId: number,
  integrationId: number | undefined,
  menuCount: number,
): Promise<void> {
  const facts =
    integrationId === undefined ? undefined : await findConnection(sql, storeId, integrationId);
  if (!facts?.active) throw refuse('Integration not available.');
  if (!facts.hasCredential) {
    throw refuse('This store does not have a token for this delivery.');
  }
  const registered = findDeliveryApp(facts.app, settings);
  if (!registered.configured) throw refuse(registered.reason);
  if (!facts.configured) {
    throw refuse('Microservice does not have this integration configured.');
  }
  if (!facts.hasDeliveryId) throw refuse('This store does not have the store delivery id.');
  if (menuCount > registered.app.maxMenus) {
    throw refuse('Only one menu is supported by this delivery.');
  }
}
