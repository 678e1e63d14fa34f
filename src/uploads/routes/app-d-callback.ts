import { findWaitingTask, keepAppTask } from '../sql/app-tasks';
import { webhookSecretContext } from '../../delivery-apps/tokens/app-access';
import {
  APP_D_EVENTS,
  APP_D_SIGNATURE_FORM,
  APP_D_SIGNATURE_HEADER,
  isSignedByAppD,
  parseAppDCallback,
  signedAt,
} from '../../delivery-apps/app-d/callback';
import { record } from '../../contract/answers';
import { signedBody } from '../../http/body/request-body';
import { type QueryRule, route } from '../../http/route';
import {
  type AppCallbackDeps,
  MAX_CALLBACK_BYTES,
  signedByApp,
  wakeQuestion,
} from './app-callback';

const ANSWER = { message: 'Success.', data: null } as const;

/** Accepts anything, because the app may add parameters to its URLs one day. */
const eventQuery: QueryRule<string | undefined> = {
  schema: { type: 'object', properties: { event: { enum: APP_D_EVENTS } } },
  check(query) {
    const event: unknown = Reflect.get(Object(query), 'event');
    return typeof event === 'string' ? event : undefined;
  },
};

/**
 * App D reports what its people decided about a menu. The webhook names no menu. It counts for the waiting one if it
 * was signed after that menu was taken; otherwise a repeat about an earlier menu would count. The app is asked as
 * well, and its answer takes precedence.
 */
export const APP_D_CALLBACK_ROUTE = route({
  id: 'appDCallback',
  method: 'post',
  path: '/callbacks/app-d/{integration_id}',
  parameters: { integration_id: '4' },
  group: 'Callbacks',
  summary: 'App D reports the decision about a menu',
  description:
    'Registered in the app once for each event, as `?event=MENU_APPROVED` and `?event=MENU_REJECTED`. Repeats and stores without a waiting menu are harmless.',
  access: {
    kind: 'signature',
    header: APP_D_SIGNATURE_HEADER,
    form: APP_D_SIGNATURE_FORM,
    isSigned: signedByApp({
      app: 'app-d',
      column: 'webhook_secret_encrypted',
      context: webhookSecretContext,
      // The app may have given each of the two webhooks its own secret.
      isSigned: (body, signature, secrets, now) =>
        secrets.split(',').some((one) => isSignedByAppD(body, signature, one, now)),
    }),
  },
  idempotency: 'none',
  query: eventQuery,
  body: signedBody({
    maxBytes: MAX_CALLBACK_BYTES,
    example: { store_id: '999', message: 'Menu approved' },
  }),
  answers: [
    {
      status: 200,
      schema: record({ message: { const: ANSWER.message }, data: { type: 'null' } }),
      examples: { taken: ANSWER },
    },
  ],
  async handle(deps: AppCallbackDeps, { ctx, params, query, body }) {
    const callback = parseAppDCallback(body, query);
    if (callback?.outcome) {
      await takeDecision(deps, {
        // It is a number, because the secret of this integration has signed the body.
        integrationId: Number(params.integration_id),
        appStoreId: callback.appStoreId,
        outcome: callback.outcome,
        signedAt: signedAt(ctx.get(APP_D_SIGNATURE_HEADER)),
      });
    }
    ctx.body = ANSWER;
  },
});

async function takeDecision(
  { sql, waker }: AppCallbackDeps,
  decision: {
    integrationId: number;
    appStoreId: string;
    outcome: Parameters<typeof keepAppTask>[3];
    signedAt: number;
  },
): Promise<void> {
  const { integrationId, appStoreId, outcome } = decision;
  const waiting = await findWaitingTask(sql, integrationId, appStoreId, decision.signedAt);
  if (!waiting) return;
  await keepAppTask(sql, integrationId, waiting.taskId, outcome);
  wakeQuestion(waker, { storeId: waiting.storeId, integrationId });
}
