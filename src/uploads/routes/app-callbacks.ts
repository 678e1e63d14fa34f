import type { Sql } from '../../platform/db/client';
import { keepAppTask } from '../sql/app-tasks';
import type { PublicationKey } from '../sql/publications';
import { findCallbackSecret, findStoreByAppStoreId } from '../../delivery-apps/sql/integrations';
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
import { menuEntity } from '../menu-entity';
import type { Nudger } from '../../platform/queue/nudger';
import type { SecretBox } from '../../platform/crypto/secrets';
import { parseRowId } from '../../users/guards';
import { signedBody } from '../../http/body/request-body';
import { noQuery, type Route, route, type SignedRequest } from '../../http/route';
import { inBackground } from '../../platform/in-background';

export interface AppCallbackDeps {
  readonly sql: Sql;
  readonly secrets: SecretBox;
  readonly nudger: Nudger;
}

/** Enough for a callback that names every refused entity of a menu of 4,000 items, 250 bytes each. */
const MAX_BYTES = 1_048_576;

/**
 * App C reports the end of a menu's task. Only the signature authenticates it; an unknown integration looks like a
 * wrong signature. Repeats, unknown tasks and callbacks that come before the upload's answer are all stored, because
 * the step that polls the task reads them first.
 */
export const APP_CALLBACK_ROUTES: readonly Route<AppCallbackDeps>[] = [
  route({
    id: 'appCCallback',
    method: 'post',
    path: '/callbacks/app-c/{integration_id}',
    parameters: { integration_id: '3' },
    group: 'Callbacks',
    summary: 'App C tells the end of a menu’s task',
    description: 'Unknown and repeated tasks are harmless.',
    access: {
      kind: 'signature',
      header: CALLBACK_SIGNATURE_HEADER,
      form: CALLBACK_SIGNATURE_FORM,
      isSigned,
    },
    idempotency: 'none',
    query: noQuery,
    body: signedBody({
      maxBytes: MAX_BYTES,
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
  }),
];

async function isSigned(
  { sql, secrets }: AppCallbackDeps,
  { params, body, signature }: SignedRequest,
): Promise<boolean> {
  const integrationId = parseRowId(params['integration_id'] ?? '');
  if (integrationId === undefined) return false;
  const sealed = await findCallbackSecret(sql, integrationId, 'app-c', 'client_secret_encrypted');
  if (!sealed) return false;
  const secret = secrets.decrypt(sealed, clientSecretContext(integrationId));
  return isSignedByApp(body, signature, secret);
}

async function takeCallback(
  { sql, nudger }: AppCallbackDeps,
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
  if (storeId !== undefined) wakeQuestion(nudger, { storeId, integrationId });
}

/** Sends a signal even if the entity is alive: it ends the pause between two polls of a task. Not waited for. */
export function wakeQuestion(nudger: Nudger, key: PublicationKey): void {
  inBackground(nudger.nudge(menuEntity, key, false), () => {});
}
