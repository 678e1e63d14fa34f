import type { Sql } from '../../platform/db/client';
import type { PublicationKey } from '../sql/publications';
import { findCallbackSecret } from '../../delivery-apps/sql/integrations';
import type { AppName } from '../../delivery-apps/types';
import { menuPublicationWorkflow } from '../queue';
import type { Waker } from '../../platform/queue/waker';
import type { SecretBox } from '../../platform/crypto/secrets';
import { parseRowId } from '../../users/guards';
import { pathParameter, type SignedRequest } from '../../http/route';
import { inBackground } from '../../platform/in-background';

export interface AppCallbackDeps {
  readonly sql: Sql;
  readonly secrets: SecretBox;
  readonly waker: Waker;
}

/** Enough for a callback that names every refused entity of a menu of 4,000 items, 250 bytes each. */
export const MAX_CALLBACK_BYTES = 1_048_576;

/** Where an app's secret for callbacks is kept, and how a callback is checked against it. */
interface CallbackSecret {
  readonly app: AppName;
  readonly column: Parameters<typeof findCallbackSecret>[3];
  /** The context in which it was encrypted. */
  readonly context: (integrationId: number) => string;
  /** `now`: by the database's clock, Unix time in ms. */
  readonly isSigned: (body: Buffer, signature: string, secret: string, now: number) => boolean;
}

/**
 * The guard of a route `/callbacks/<app>/{integration_id}`. Only the signature authenticates a callback; an unknown
 * integration looks like a wrong signature.
 */
export function signedByApp({ app, column, context, isSigned }: CallbackSecret) {
  return async (
    { sql, secrets }: AppCallbackDeps,
    { params, body, signature }: SignedRequest,
  ): Promise<boolean> => {
    const integrationId = parseRowId(pathParameter(params, 'integration_id'));
    if (integrationId === undefined) return false;
    const found = await findCallbackSecret(sql, integrationId, app, column);
    return (
      found !== undefined &&
      isSigned(body, signature, secrets.decrypt(found.sealed, context(integrationId)), found.now)
    );
  };
}

/** Sends a signal even if the workflow is alive: it ends the pause between two polls of a task. Not waited for. */
export function wakeQuestion(waker: Waker, key: PublicationKey): void {
  inBackground(waker.wake(menuPublicationWorkflow, key, false), () => {});
}
