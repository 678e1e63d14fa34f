import Router from '@koa/router';
import type { Sql } from '../../db/client';
import { keepAppTask } from '../../db/app-tasks';
import { findClientSecret, findStoreByDeliveryId } from '../../db/integrations';
import { clientSecretContext } from '../../delivery-apps/app-access';
import {
  type Callback,
  CALLBACK_ANSWER,
  CALLBACK_SIGNATURE_HEADER,
  isSignedByApp,
  parseCallback,
} from '../../delivery-apps/app-c/callback';
import { AppError } from '../../errors';
import { menuKind } from '../../queue/menu-kind';
import type { Nudger } from '../../queue/nudger';
import type { SecretBox } from '../../secrets';
import { parseRowId } from '../guards';
import { readBody } from '../read-body';
import type { RequestState } from '../state';

export interface AppCallbackDeps {
  readonly sql: Sql;
  readonly secrets: SecretBox;
  readonly nudger: Nudger;
}

/** A callback names every refused entity of a menu of 4,000 items. */
const MAX_BYTES = 2 * 1_048_576;

/**
 * App C tells the end of a menu's task. Authenticated by the signature alone; an integration that does not exist looks
 * like a wrong signature. Repeats, unknown tasks and callbacks that come before the upload's answer are all kept, as the
 * step that asks after the task looks here first.
 */
export function appCallbackRoutes(deps: AppCallbackDeps): Router<RequestState> {
  const router = new Router<RequestState>();
  router.post('/callbacks/app-c/:integration_id', async (ctx) => {
    const integrationId = parseRowId(ctx.params['integration_id'] ?? '');
    const body = await readBody(ctx.req, MAX_BYTES);
    const signature = ctx.get(CALLBACK_SIGNATURE_HEADER);
    if (integrationId === undefined || !(await isSigned(deps, integrationId, body, signature))) {
      throw new AppError('unauthorized', 'Unauthorized.');
    }
    await takeCallback(deps, integrationId, parseCallback(body));
    ctx.body = CALLBACK_ANSWER;
  });
  return router;
}

async function isSigned(
  { sql, secrets }: AppCallbackDeps,
  integrationId: number,
  body: Buffer,
  signature: string,
): Promise<boolean> {
  const sealed = await findClientSecret(sql, integrationId, 'app-c');
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
  const { taskId, deliveryId, outcome } = callback;
  // Only an end is worth keeping: a task still at work is asked after in its own time.
  if (outcome.kind !== 'live' && outcome.kind !== 'partly_live' && outcome.kind !== 'rejected') {
    return;
  }
  await keepAppTask(sql, integrationId, taskId, outcome);
  const storeId = await findStoreByDeliveryId(sql, integrationId, deliveryId);
  if (storeId === undefined) return;
  // A signal although the entity may be alive: it wakes the pause between two polls. Not waited for.
  void nudger.nudge(menuKind, { storeId, integrationId }, false);
}
