import { rolloutListSchema, rolloutTargetListSchema } from '../../../schemas/lists';
import { idKey, pageOf, readPage } from '../../http/paging';
import { noBody } from '../../http/body/request-body';
import { noQuery, query, type Route, route, token } from '../../http/route';
import { answerOf, pageAnswer, ref } from '../../contract/answer-schemas';
import { ROLLOUT_ID, ROLLOUT_TARGET, ROLLOUT_VIEW } from '../../contract/examples';
import type { FieldRefusal } from '../../contract/answers';
import { PAGE_FIELDS } from '../../contract/refusals';
import type { WaitingFor } from '../../contract/why-it-waits';
import { messagesOf } from '../../uploads/routes/upload-status';
import { type WaitingDeps, whyUploadsWait } from '../../uploads/read-upload-waits';
import { viewerOf } from '../../users/guards';
import { acceptRollout, type AcceptRolloutDeps, wakeRollout } from '../accept-rollout';
import { findNamedRollout, renderRollout, ROLLOUT_MISSING, statusUrlOf } from '../named-rollout';
import { ROLLOUT_BODY } from '../rollout-body';
import { listRollouts, listTargets, type TargetView } from '../sql/rollouts';

const PARAMETERS = { rollout_id: ROLLOUT_ID };
const WRONG_FILTER: FieldRefusal = {
  status: 422,
  fields: { state: ['The selected state is invalid.'], ...PAGE_FIELDS },
};
/** The most messages per entry of a list. */
const LISTED_MESSAGES = 5;

export const ROLLOUT_ROUTES: readonly Route<AcceptRolloutDeps & WaitingDeps>[] = [
  route({
    id: 'startRollout',
    method: 'post',
    path: '/api/v1/menus/rollouts',
    parameters: {},
    group: 'Rollouts',
    summary: 'Upload one menu to many stores',
    description:
      'Up to 1,000 targets, `parallel` at once. The rules of the menu are checked once; a target for which an upload would be refused ends `refused`, and the others continue. ' +
      'Each target takes its place in the store’s queue at once: an upload that is accepted later wins there.',
    access: token({ acts: true }),
    idempotency: 'kept',
    query: noQuery,
    body: ROLLOUT_BODY,
    answers: [
      {
        status: 202,
        schema: answerOf(ref('AcceptedRollout')),
        examples: {
          started: {
            message: 'Rollout started.',
            data: { rollout_id: ROLLOUT_ID, status_url: statusUrlOf(ROLLOUT_ID) },
          },
        },
        link: { operation: 'getRollout', parameter: 'rollout_id', pointer: '/data/rollout_id' },
      },
      {
        status: 409,
        when: 'All broken rules of the menu at once.',
        sentences: [
          'The menu must have a name.',
          'The category data item external id does not exist: I9',
        ],
      },
      {
        status: 422,
        fields: {
          targets: [
            'The targets field is required.',
            'The targets may not have more than 1000 items.',
          ],
          'targets.3.store_id': ['The store id field is required.'],
          'targets.4': ['The target is repeated.'],
          parallel: ['The selected parallel is invalid.'],
          stop_after_failures: ['The selected stop after failures is invalid.'],
          menus: ['The menus field is required.'],
        },
      },
    ],
    async handle(deps: AcceptRolloutDeps, { ctx, body }) {
      const rolloutId = await acceptRollout(deps, ctx.state, body);
      ctx.status = 202;
      ctx.body = {
        message: 'Rollout started.',
        data: { rollout_id: rolloutId, status_url: statusUrlOf(rolloutId) },
      };
      return () => wakeRollout(deps, rolloutId);
    },
  }),
  route({
    id: 'listRollouts',
    method: 'get',
    path: '/api/v1/menus/rollouts',
    parameters: {},
    group: 'Rollouts',
    summary: 'List rollouts',
    description: 'The rollouts that you started, newest first.',
    access: token(),
    idempotency: 'none',
    query: query(rolloutListSchema),
    body: noBody,
    answers: [
      {
        status: 200,
        schema: pageAnswer(ref('Rollout')),
        examples: { page: { message: 'Success.', data: [ROLLOUT_VIEW], next_cursor: null } },
      },
      WRONG_FILTER,
    ],
    async handle({ sql }: AcceptRolloutDeps, { ctx, query: given }) {
      const page = readPage(idKey('rol'), given);
      const rows = await listRollouts(sql, viewerOf(ctx.state.caller), {
        ...page.wanted,
        ...(given.state === undefined ? {} : { state: given.state }),
      });
      ctx.body = pageOf(rows, page, (row) => row.rolloutId, renderRollout);
    },
  }),
  route({
    id: 'getRollout',
    method: 'get',
    path: '/api/v1/menus/rollouts/{rollout_id}',
    parameters: PARAMETERS,
    group: 'Rollouts',
    summary: 'See one rollout',
    access: token(),
    idempotency: 'none',
    query: noQuery,
    body: noBody,
    answers: [
      {
        status: 200,
        schema: answerOf(ref('Rollout')),
        examples: { running: { message: 'Success.', data: ROLLOUT_VIEW } },
      },
      ROLLOUT_MISSING,
    ],
    async handle({ sql }: AcceptRolloutDeps, { ctx, params }) {
      const rollout = await findNamedRollout(sql, ctx, params.rollout_id);
      ctx.body = { message: 'Success.', data: renderRollout(rollout) };
    },
  }),
  route({
    id: 'listRolloutTargets',
    method: 'get',
    path: '/api/v1/menus/rollouts/{rollout_id}/targets',
    parameters: PARAMETERS,
    group: 'Rollouts',
    summary: 'List the targets of a rollout',
    description: 'In the order in which they were sent.',
    access: token(),
    idempotency: 'none',
    query: query(rolloutTargetListSchema),
    body: noBody,
    answers: [
      {
        status: 200,
        schema: pageAnswer(ref('RolloutTarget')),
        examples: { page: { message: 'Success.', data: [ROLLOUT_TARGET], next_cursor: null } },
      },
      ROLLOUT_MISSING,
      WRONG_FILTER,
    ],
    async handle(deps: AcceptRolloutDeps & WaitingDeps, { ctx, params, query: given }) {
      const { sql } = deps;
      const page = readPage(readPosition, given);
      const { rolloutId } = await findNamedRollout(sql, ctx, params.rollout_id);
      const rows = await listTargets(sql, rolloutId, {
        ...(given.state === undefined ? {} : { state: given.state }),
        after: page.wanted.before ?? -1,
        limit: page.wanted.limit,
      });
      const waits = await whyUploadsWait(deps, rows.map(asUpload));
      ctx.body = pageOf(
        rows,
        page,
        (row) => String(row.position),
        (row) => renderTarget(row, waits.get(row.uploadId)),
      );
    },
  }),
];

/** The position of a target in its rollout. */
function readPosition(text: string): number | undefined {
  return /^\d{1,4}$/.test(text) ? Number(text) : undefined;
}

/** A target as its upload. `waiting`: the upload is held; `refused`: it has ended, or there is none. */
function asUpload({ uploadId, state }: TargetView) {
  return {
    uploadId: state === 'refused' ? null : uploadId,
    state: state === 'waiting' ? 'queued' : state,
  };
}

function renderTarget(target: TargetView, waitingFor: WaitingFor | undefined) {
  return {
    store_id: target.storeId ?? target.sent.store_id,
    integration_id: String(target.sent.integration_id),
    state: target.state,
    upload_id: target.uploadId,
    waiting_for: waitingFor ?? null,
    messages: messagesOf(target, waitingFor).slice(0, LISTED_MESSAGES),
    live: target.live,
  };
}
