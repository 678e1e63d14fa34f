import { keepAppTask } from '../sql/app-tasks';
import { findStoreByAppStoreId } from '../../delivery-apps/sql/integrations';
import { clientSecretContext } from '../../delivery-apps/tokens/app-access';
import {
  type Callback,
  CALLBACK_ANSWER,
  CALLBACK_SIGNATURE_FORM,
  CALLBACK_SIGNATURE_HEADER,
  isSignedByApp,
  parseCallback,
} from '../../delivery-apps/app-c/callback';
import { record } from '../../contract/answers';
import { signedBody } from '../../http/body/request-body';
import { noQuery, route } from '../../http/route';
import {
  type AppCallbackDeps,
  MAX_CALLBACK_BYTES,
  signedByApp,
  wakeQuestion,
} from './app-callback';

/**
 * App C reports the end of a menu's task. Repeats, unknown tasks and callbacks that come before the upload's answer
 * are all stored, because the step that polls the task reads them first.
 */
export const APP_C_CALLBACK_ROUTE = route({
  id: 'appCCallback',
  method: 'post',
  path: '/callbacks/app-c/{integration_id}',
  parameters: { integration_id: '3' },
  group: 'Callbacks',
  summary: 'App C reports the end of a menu’s task',
  description: 'Unknown and repeated tasks are harmless.',
  access: {
    kind: 'signature',
    header: CALLBACK_SIGNATURE_HEADER,
    form: CALLBACK_SIGNATURE_FORM,
    isSigned: signedByApp({
      app: 'app-c',
      column: 'client_secret_encrypted',
      context: clientSecretContext,
      isSigned: isSignedByApp,
    }),
  },
  idempotency: 'none',
  query: noQuery,
  body: signedBody({
    maxBytes: MAX_CALLBACK_BYTES,
    example: {
      app_id: 'client',
      app_shop_id: 'shop-1',
      type: 'uploadMenuTaskStatus',
      timestamp: 1_795_260_000,
      data: { taskID: 101, status: 1, message: '', operationList: [] },
    },
  }),
  answers: [
    {
      status: 200,
      schema: record({ errno: { const: 0 }, errmsg: { const: 'ok' } }),
      examples: { taken: CALLBACK_ANSWER },
    },
  ],
  async handle(deps: AppCallbackDeps, { ctx, params, body }) {
    // It is a number, because the secret of this integration has signed the body.
    await takeCallback(deps, Number(params.integration_id), parseCallback(body));
    ctx.body = CALLBACK_ANSWER;
  },
});

async function takeCallback(
  { sql, waker }: AppCallbackDeps,
  integrationId: number,
  callback: Callback,
): Promise<void> {
  if (callback.kind === 'other') return;
  const { taskId, appStoreId, outcome } = callback;
  // Only final outcomes are stored: a running task is polled anyway.
  if (outcome.kind !== 'live' && outcome.kind !== 'partly_live' && outcome.kind !== 'rejected') {
    return;
  }
  await keepAppTask(sql, integrationId, taskId, outcome);
  const storeId = await findStoreByAppStoreId(sql, integrationId, appStoreId);
  if (storeId !== undefined) wakeQuestion(waker, { storeId, integrationId });
}
