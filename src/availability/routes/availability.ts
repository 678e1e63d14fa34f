import { availabilitySchema } from '../../../schemas/availability';
import { findNamedStore, requireStore } from '../../users/guards';
import { jsonBody, SMALL_BODY } from '../../http/body/request-body';
import { noQuery, type Route, route, token } from '../../http/route';
import { prefersAsync } from '../../uploads/upload-answers';
import { type AcceptAvailabilityDeps, acceptItems, parseWantedItems } from '../accept-availability';
import { NO_LIVE_MENU } from '../../uploads/usable-integration';
import { answerChanges, declareAnswers, ITEM_WORDS } from '../availability-answers';

export const AVAILABILITY_ROUTE: Route<AcceptAvailabilityDeps> = route({
  id: 'changeAvailability',
  method: 'post',
  path: '/api/v1/menus/availability',
  parameters: {},
  group: 'Menus',
  summary: 'Take items off sale, or put them back',
  description:
    'At once, without a menu; options are items like others. An item stays off sale through later uploads, until it is put back or `until` passes. ' +
    'Goes to the named integrations, or to all that the store is connected to and that have shown a menu or have an item off sale that is put back, with one change for each. ' +
    'Waits for the outcome, 25 s unless configured otherwise. Per item the newest request counts.',
  access: token({ acts: true }),
  idempotency: 'kept',
  query: noQuery,
  headers: ['Prefer'],
  body: jsonBody({
    name: 'AvailabilityChange',
    schema: availabilitySchema,
    maxBytes: SMALL_BODY,
    example: {
      store_id: 1,
      items: [{ external_id: 'margherita', available: false, until: null }],
    },
  }),
  answers: [
    ...declareAnswers(ITEM_WORDS, [NO_LIVE_MENU, 'The item external id does not exist: I9']),
    {
      status: 422,
      fields: {
        store_id: ['The store id field is required.', 'The selected store id is invalid.'],
        integration_ids: ['The integration ids field is required.'],
        items: [
          'The items field is required.',
          'The items must be an array.',
          'The items may not have more than 500 items.',
        ],
        'items.0.external_id': ['The external id field is required.'],
        'items.0.available': ['The selected available is invalid.'],
        'items.0.until': ['The until format is invalid.', 'The selected until is invalid.'],
      },
    },
  ],
  async handle(deps: AcceptAvailabilityDeps, { ctx, body }) {
    const items = parseWantedItems(body.items);
    const access = await findNamedStore(deps.sql, ctx.state.caller, body.store_id);
    requireStore(ctx.state.caller, access);
    const targets = {
      storeId: access.storeId,
      integrationIds: body.integration_ids ?? undefined,
      liveOrOff: items.flatMap((item) => (item.available ? [item.externalId] : [])),
    };
    const finish = await acceptItems(deps, ctx.state, targets, items, !prefersAsync(ctx));
    return () => answerChanges(ctx, deps, ITEM_WORDS, finish);
  },
});
