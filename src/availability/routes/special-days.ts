import { specialDaysSchema } from '../../../schemas/special-days';
import { findOwnPathStore, findSeenPathStore } from '../../users/guards';
import { jsonBody, noBody, SMALL_BODY } from '../../http/body/request-body';
import { noQuery, type Route, route, token } from '../../http/route';
import { answerOf, ref } from '../../contract/answer-schemas';
import { STORE_FOREIGN, STORE_MISSING } from '../../contract/refusals';
import { TIME_ZONE_MISSING } from '../../uploads/checked-menu';
import { prefersAsync } from '../../uploads/upload-answers';
import { dayInZone } from '../../platform/text/time-zone';
import { fieldRefusal } from '../../platform/validation/field-refusal';
import type { WaitingFor } from '../../contract/why-it-waits';
import { type AcceptAvailabilityDeps, acceptSpecialDays } from '../accept-availability';
import { OTHER_SPECIAL_DAYS } from '../availability';
import { answerChanges, declareAnswers, SPECIAL_DAYS_WORDS } from '../availability-answers';
import { whyChangesWait } from '../read-change-waits';
import { findDayProblems, type StoredDay, toStoredDays } from '../special-days';
import { type DaysInApp, findSpecialDays, timeZoneMissing } from '../sql/special-days';

const PATH = '/api/v1/store/{store_id}/special-days';
const DAYS = [
  { date: '2026-12-24', periods: [{ start: '10:00', end: '15:00' }], name: 'Christmas Eve' },
  { date: '2026-12-25', closed: true },
];

export const SPECIAL_DAYS_ROUTES: readonly Route<AcceptAvailabilityDeps>[] = [
  route({
    id: 'setSpecialDays',
    method: 'put',
    path: PATH,
    parameters: { store_id: '1' },
    group: 'Stores',
    summary: 'Set the special days of a store',
    description:
      'The days on which the store is closed or has other hours, in its time zone: they replace all earlier ones, and an empty list takes them away. ' +
      'Goes to the named integrations, or to all that the store is connected to, with one change for each. Waits for the outcome, 25 s unless configured otherwise.',
    access: token({ acts: true }),
    idempotency: 'kept',
    query: noQuery,
    headers: ['Prefer'],
    body: jsonBody({
      name: 'SpecialDays',
      schema: specialDaysSchema,
      maxBytes: SMALL_BODY,
      example: { days: DAYS },
    }),
    answers: [
      ...declareAnswers(SPECIAL_DAYS_WORDS, [TIME_ZONE_MISSING]),
      STORE_MISSING,
      {
        status: 422,
        fields: {
          integration_ids: ['The integration ids field is required.'],
          days: [
            'The days field is required.',
            'The days must be an array.',
            'The days may not have more than 100 items.',
          ],
          'days.0.date': [
            'The date field is required.',
            'The date format is invalid.',
            'The selected date is invalid.',
          ],
          'days.0.closed': ['The selected closed is invalid.'],
          'days.0.periods': [
            'The periods field is required.',
            'The periods must be an array.',
            'The periods may not have more than 48 items.',
            'The selected periods is invalid.',
          ],
          'days.0.periods.0.start': [
            'The start field is required.',
            'The start format is invalid.',
          ],
          'days.0.periods.0.end': ['The end field is required.', 'The end format is invalid.'],
          'days.0.name': ['The name may not be greater than 50 characters.'],
        },
      },
    ],
    async handle(deps: AcceptAvailabilityDeps, { ctx, params, body }) {
      const access = await findOwnPathStore(deps.sql, ctx.state.caller, params.store_id);
      const { storeId, timeZone } = access;
      const today = timeZone === null ? null : dayInZone(new Date(), timeZone);
      const problems = findDayProblems(body.days, today);
      if (problems.length > 0) throw fieldRefusal(problems);
      if (timeZone === null) throw timeZoneMissing();
      const targets = {
        storeId,
        integrationIds: body.integration_ids ?? undefined,
        liveOrOff: null,
      };
      const days = toStoredDays(body.days);
      const finish = await acceptSpecialDays(deps, ctx.state, targets, days, !prefersAsync(ctx));
      return () => answerChanges(ctx, deps, SPECIAL_DAYS_WORDS, finish);
    },
  }),
  route({
    id: 'getSpecialDays',
    method: 'get',
    path: PATH,
    parameters: { store_id: '1' },
    group: 'Stores',
    summary: 'See the special days of a store',
    description:
      'Those that were set last and are not over, and how far each app is that was ever told some.',
    access: token(),
    idempotency: 'none',
    query: noQuery,
    body: noBody,
    answers: [
      {
        status: 200,
        schema: answerOf(ref('StoreSpecialDays')),
        examples: {
          days: {
            message: 'Success.',
            data: {
              days: DAYS,
              integrations: [{ integration_id: '2', state: 'done', message: null }],
            },
          },
        },
      },
      STORE_MISSING,
      STORE_FOREIGN,
    ],
    async handle(deps: AcceptAvailabilityDeps, { ctx, params }) {
      const { storeId } = await findSeenPathStore(deps.sql, ctx.state.caller, params.store_id);
      const { days, integrations } = await findSpecialDays(deps.sql, storeId);
      const waits = await whyChangesWait(deps, integrations);
      const data = {
        days,
        integrations: integrations.map((each) =>
          renderIntegration(each, days, waits.get(each.changeId)),
        ),
      };
      ctx.body = { message: 'Success.', data };
    },
  }),
];

function renderIntegration(
  { integrationId, state, messages, days }: DaysInApp,
  wanted: readonly StoredDay[],
  waitingFor: WaitingFor | undefined,
) {
  const isOther = state === 'done' && JSON.stringify(days) !== JSON.stringify(wanted);
  const message = isOther ? OTHER_SPECIAL_DAYS : (waitingFor?.message ?? messages.join(' '));
  return { integration_id: String(integrationId), state, message: message || null };
}
