import { LIMITS } from '../../../schemas/limits';
import { NO_LIVE_MENU } from '../usable-integration';
import { answerOf, ref } from '../../contract/answer-schemas';
import { MENU_CHANGE_OUTCOME } from '../../contract/change-examples';
import { BUSY } from '../../contract/refusals';
import type { WaitingFor } from '../../contract/why-it-waits';
import type { RequestContext } from '../../http/state';
import { noQuery, type Route, route, token } from '../../http/route';
import { limitSentences } from '../../menus/rules/problems-in-answers';
import { AppError } from '../../platform/errors';
import { fieldRefusal } from '../../platform/validation/field-refusal';
import { findNamedStore, requireStore } from '../../users/guards';
import {
  acceptChanges,
  type AcceptChangesDeps,
  type ChangeOutcome,
  type FinishChanges,
} from '../accept-changes';
import { menuRefusal } from '../checked-menu';
import { MENU_CHANGES_BODY } from '../menu-changes-body';
import { whyUploadsWait } from '../read-upload-waits';
import { isFinal } from '../upload';
import { prefersAsync } from '../upload-answers';
import { NOT_UPLOADED } from '../upload-verdict';

const DONE = 'Menu changes successfully applied.';
const IN_PROGRESS = 'Menu changes in progress.';
const FAILED = 'Could not change the menu in delivery system.';
const OUTCOMES = ref('MenuChangeOutcomes');

export const MENU_CHANGES_ROUTE: Route<AcceptChangesDeps> = route({
  id: 'changeMenus',
  method: 'post',
  path: '/api/v1/menus/changes',
  parameters: {},
  group: 'Menus',
  summary: 'Change single items of the menus that a store shows',
  description:
    'Makes a new version of each menu: the newest accepted one, else the live one, with the changes. It takes its place among the uploads of its store and integration. ' +
    'Goes to the named integrations, or to all that show a menu. Where an app has calls for it, and few enough do, the change goes by calls about single items (`way` is `items`), else with the whole menu. ' +
    'Waits for the outcome, 25 s unless configured otherwise. Of elements with the same ids the last counts.',
  access: token({ acts: true }),
  idempotency: 'kept',
  query: noQuery,
  headers: ['Prefer'],
  body: MENU_CHANGES_BODY,
  answers: [
    {
      status: 200,
      when: 'Every delivery app shows the change, or a newer menu replaced it.',
      schema: answerOf(OUTCOMES),
      examples: { applied: { message: DONE, data: { changes: [MENU_CHANGE_OUTCOME] } } },
    },
    {
      status: 202,
      when: 'Not all are done yet, or the caller did not wait. They continue; each is an upload with its own URL.',
      schema: answerOf(OUTCOMES),
      examples: {
        inProgress: {
          message: IN_PROGRESS,
          data: { changes: [{ ...MENU_CHANGE_OUTCOME, state: 'running', way: null }] },
        },
      },
      link: {
        operation: 'getUpload',
        parameter: 'upload_id',
        pointer: '/data/changes/0/upload_id',
      },
    },
    {
      status: 409,
      when: 'The changes break a rule of menus, and nothing was changed; or not all delivery apps show them, and `data` has the changes.',
      sentences: [
        "You don't have this store available.",
        'The item must have something to change: I9',
        'The item price value must be greater than 0.',
        FAILED,
        'Integration not available.',
        'This store does not have a token for this delivery.',
        'Microservice does not have this integration configured.',
        'This store does not have the store delivery id.',
        NO_LIVE_MENU,
        'The item external id does not exist: I9',
        'The modifier group external id does not exist: G9',
        'The modifier group data option external id does not exist: I9',
        'The menu identifier does not exist: M9',
        'The category data item external id does not exist: I9',
        'The item bundled item external id does not exist: I9',
      ],
      data: OUTCOMES,
    },
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
        options: ['The options must be an array.', 'The options may not have more than 500 items.'],
      },
    },
    BUSY,
  ],
  async handle(deps: AcceptChangesDeps, { ctx, body }) {
    requireSome(body);
    const access = await findNamedStore(deps.sql, ctx.state.caller, body.store_id);
    requireStore(ctx.state.caller, access);
    const { checked } = body;
    if (!checked.ok) throw menuRefusal(checked);
    const finish = await acceptChanges(deps, ctx.state, {
      storeId: access.storeId,
      integrationIds: body.integration_ids ?? undefined,
      changes: checked.changes,
      waits: !prefersAsync(ctx),
    });
    return () => answer(ctx, deps, finish);
  },
});

/** Throws the 422 of a request that says nothing, or more than `LIMITS.menuChanges` elements. */
function requireSome({
  itemCount,
  optionCount,
}: {
  readonly itemCount: number;
  readonly optionCount: number;
}): void {
  if (itemCount + optionCount === 0) {
    throw fieldRefusal([
      { code: 'required', pointer: '/items', detail: 'The items field is required.' },
    ]);
  }
  const left = LIMITS.menuChanges - itemCount;
  if (optionCount <= left) return;
  const detail = `The options may not have more than ${left} items.`;
  throw fieldRefusal([{ code: 'too_many', pointer: '/options', detail }]);
}

/** Waits for the uploads and answers: 202 while one is unfinished, 409 if all have ended and one has failed. */
async function answer(
  ctx: RequestContext,
  deps: AcceptChangesDeps,
  finish: FinishChanges,
): Promise<void> {
  const outcomes = await finish();
  const waits = await whyUploadsWait(deps, outcomes);
  const data = { changes: outcomes.map((each) => render(each, waits.get(each.uploadId))) };
  if (!outcomes.every(({ state }) => isFinal(state))) {
    ctx.status = 202;
    ctx.body = { message: IN_PROGRESS, data };
    return;
  }
  const failed = outcomes.filter(({ state }) => state !== 'uploaded' && state !== 'superseded');
  if (failed.length === 0) {
    ctx.body = { message: DONE, data };
    return;
  }
  const reasons = new Set(failed.flatMap(({ messages }) => messages));
  // What follows says it for each app.
  reasons.delete(NOT_UPLOADED);
  throw new AppError('menu_change_failed', limitSentences([FAILED, ...reasons]), { data });
}

function render(
  { uploadId, integrationId, state, way, messages }: ChangeOutcome,
  waitingFor: WaitingFor | undefined,
) {
  return {
    upload_id: uploadId,
    integration_id: integrationId,
    state,
    way,
    waiting_for: waitingFor ?? null,
    messages: waitingFor ? [waitingFor.message] : messages,
  };
}
