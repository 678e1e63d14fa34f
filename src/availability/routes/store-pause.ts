import { storePauseSchema, storeResumeSchema } from '../../../schemas/availability';
import { findOwnPathStore } from '../../users/guards';
import { jsonBody, SMALL_BODY } from '../../http/body/request-body';
import { noQuery, type Route, route, token } from '../../http/route';
import type { FieldRefusal } from '../../contract/answers';
import { STORE_MISSING } from '../../contract/refusals';
import { prefersAsync } from '../../uploads/upload-answers';
import { type AcceptAvailabilityDeps, acceptPause, parsePauseEnd } from '../accept-availability';
import { answerChanges, declareAnswers, PAUSE_WORDS, RESUME_WORDS } from '../availability-answers';

const INTEGRATIONS = { integration_ids: ['The integration ids field is required.'] };
const PAUSE_FIELDS: FieldRefusal = {
  status: 422,
  fields: {
    ...INTEGRATIONS,
    until: ['The until format is invalid.', 'The selected until is invalid.'],
    reason: ['The reason may not be greater than 100 characters.'],
  },
};

export const STORE_PAUSE_ROUTES: readonly Route<AcceptAvailabilityDeps>[] = [
  route({
    id: 'pauseStore',
    method: 'post',
    path: '/api/v1/store/{store_id}/pause',
    parameters: { store_id: '1' },
    group: 'Stores',
    summary: 'Pause a store',
    description:
      'It takes no orders in the named integrations, or in all that it is connected to, until it is resumed or `until` passes. Uploads do not start or end a pause, and neither does stock.',
    access: token({ acts: true }),
    idempotency: 'kept',
    query: noQuery,
    headers: ['Prefer'],
    body: jsonBody({
      name: 'StorePause',
      schema: storePauseSchema,
      maxBytes: SMALL_BODY,
      example: { until: null, reason: 'The oven is broken.' },
    }),
    answers: [...declareAnswers(PAUSE_WORDS, []), STORE_MISSING, PAUSE_FIELDS],
    async handle(deps: AcceptAvailabilityDeps, { ctx, params, body }) {
      const until = parsePauseEnd(body.until);
      const targets = await targetsOf(deps, ctx, params.store_id, body);
      const pause = { paused: true, until, reason: body.reason || null };
      const finish = await acceptPause(deps, ctx.state, targets, pause, !prefersAsync(ctx));
      return () => answerChanges(ctx, deps, PAUSE_WORDS, finish);
    },
  }),
  route({
    id: 'resumeStore',
    method: 'post',
    path: '/api/v1/store/{store_id}/resume',
    parameters: { store_id: '1' },
    group: 'Stores',
    summary: 'Resume a store',
    description:
      'It takes orders again in the named integrations, or in all that it is connected to.',
    access: token({ acts: true }),
    idempotency: 'kept',
    query: noQuery,
    headers: ['Prefer'],
    body: jsonBody({
      name: 'StoreResume',
      schema: storeResumeSchema,
      maxBytes: SMALL_BODY,
      example: {},
    }),
    answers: [
      ...declareAnswers(RESUME_WORDS, []),
      STORE_MISSING,
      { status: 422, fields: INTEGRATIONS },
    ],
    async handle(deps: AcceptAvailabilityDeps, { ctx, params, body }) {
      const targets = await targetsOf(deps, ctx, params.store_id, body);
      const pause = { paused: false, until: null, reason: null };
      const finish = await acceptPause(deps, ctx.state, targets, pause, !prefersAsync(ctx));
      return () => answerChanges(ctx, deps, RESUME_WORDS, finish);
    },
  }),
];

async function targetsOf(
  { sql }: AcceptAvailabilityDeps,
  { state: { caller } }: Parameters<typeof prefersAsync>[0],
  pathStoreId: string,
  body: { readonly integration_ids?: readonly (string | number)[] | null },
) {
  const { storeId } = await findOwnPathStore(sql, caller, pathStoreId);
  return { storeId, integrationIds: body.integration_ids ?? undefined, liveOrOff: null };
}
