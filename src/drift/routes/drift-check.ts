import { liveCheckSchema } from '../../../schemas/menu-upload';
import { jsonBody, SMALL_BODY } from '../../http/body/request-body';
import { noQuery, type Route, route, token } from '../../http/route';
import { answerOf, ref } from '../../contract/answer-schemas';
import { DRIFTED, LIVE_MENU } from '../../contract/examples';
import { renderLiveMenu } from '../../uploads/routes/live-menus';
import { acceptCheck, type AcceptCheckDeps } from '../accept-drift-check';
import { KEPT_CHANGES } from '../sql/drift-checks';

export const LIVE_CHECK_ROUTE: Route<AcceptCheckDeps> = route({
  id: 'checkLiveMenu',
  method: 'post',
  path: '/api/v1/menus/live/check',
  parameters: {},
  group: 'Menus',
  summary: 'Read back what is live',
  description:
    'Reads the menu from the delivery app, never at the same time as a push to the store, and compares it with the menu that was sent. It ignores whether items are on sale.',
  access: token({ acts: true }),
  idempotency: 'kept',
  query: noQuery,
  body: jsonBody({
    name: 'LiveCheck',
    schema: liveCheckSchema,
    maxBytes: SMALL_BODY,
    example: { store_id: 1, integration_id: '1' },
  }),
  answers: [
    {
      status: 200,
      schema: answerOf(ref('CheckedMenu')),
      examples: {
        drifted: {
          message: 'Success.',
          data: {
            store_id: 1,
            ...LIVE_MENU,
            drift: DRIFTED,
            changes: [
              {
                op: 'changed',
                kind: 'item',
                external_id: 'margherita',
                field: 'price',
                before: '14900',
                after: '15900',
              },
            ],
          },
        },
      },
    },
    {
      status: 202,
      when: 'Not finished yet. It continues.',
      schema: ref('Done'),
      examples: { inProgress: { message: 'Check in progress.', data: null } },
      link: {
        operation: 'listLiveMenus',
        parameter: 'store_id',
        pointer: '/store_id',
        of: 'request',
      },
    },
    {
      status: 409,
      sentences: [
        "You don't have this store available.",
        'Integration not available.',
        'This delivery cannot be read back.',
        'This store does not have a token for this delivery.',
        'Microservice does not have this integration configured.',
        'This store does not have the store delivery id.',
        'No menu is live in this delivery.',
      ],
    },
    {
      status: 422,
      fields: {
        store_id: ['The store id field is required.', 'The selected store id is invalid.'],
        integration_id: ['The integration id field is required.'],
      },
    },
  ],
  async handle(deps: AcceptCheckDeps, { ctx, body: { store_id, integration_id } }) {
    const named = { storeId: store_id, integrationId: integration_id };
    const identity = ctx.state;
    return async () => {
      const checked = await acceptCheck(deps, identity, named);
      if (!checked) {
        ctx.status = 202;
        ctx.body = { message: 'Check in progress.', data: null };
        return;
      }
      ctx.body = {
        message: 'Success.',
        data: {
          store_id: checked.storeId,
          ...renderLiveMenu(checked),
          changes: (checked.driftChanges ?? []).slice(0, KEPT_CHANGES),
        },
      };
    };
  },
});
