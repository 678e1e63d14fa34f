import type { RequestIdentity } from '../http/request-identity';
import { findConnection } from '../delivery-apps/sql/integrations';
import { readableApps } from '../delivery-apps/registry';
import { AppError } from '../platform/errors';
import { beginWait, type WaitDeps } from '../http/caller-wait';
import type { Config } from '../platform/config/config';
import type { Sql } from '../platform/db/client';
import { integrationRefusal, NO_INTEGRATION } from '../uploads/usable-integration';
import { findNamedStore, parseRowId, requireStore } from '../users/guards';
import { driftCheckWorkflow } from './queue';
import { type CheckedMenu, checkWaitId, findCheck, requestCheck } from './sql/drift-checks';

export interface AcceptCheckDeps extends WaitDeps {
  readonly sql: Sql;
  readonly settings: Pick<Config, 'UPLOAD_WAIT' | 'APP_D'>;
}

/**
 * Requests a reading of the live menu, waits for it and returns its result; undefined = not finished yet, it
 * continues. Throws the 422 or 409 of the store, and the 409 of an integration that cannot be read or shows nothing.
 */
export async function acceptCheck(
  deps: AcceptCheckDeps,
  identity: RequestIdentity,
  named: { readonly storeId: string | number; readonly integrationId: string | number },
): Promise<CheckedMenu | undefined> {
  const { sql } = deps;
  const { caller } = identity;
  const access = await findNamedStore(sql, caller, named.storeId);
  requireStore(caller, access);
  const { storeId } = access;
  const integrationId = await requireReadable(deps, storeId, named.integrationId);
  const key = { storeId, integrationId };
  const wait = beginWait(deps, identity, checkWaitId(key), true);
  try {
    const check = await requestCheck(sql, key, wait.ms);
    if (!check) throw nothingIsLive();
    wait.rowWritten();
    wait.wake(driftCheckWorkflow, key, check.leased);
    const checked = await wait.until(() => findCheck(sql, key, check.number));
    if (checked?.uploadId === null) throw nothingIsLive();
    return checked;
  } finally {
    wait.end();
  }
}

function nothingIsLive(): AppError {
  return new AppError('not_readable', 'No menu is live in this delivery.');
}

/** The id of the named integration; throws the 409 of one that the store cannot read back. */
async function requireReadable(
  { sql, settings }: AcceptCheckDeps,
  storeId: number,
  namedIntegration: string | number,
): Promise<number> {
  const integrationId = parseRowId(namedIntegration);
  const facts =
    integrationId === undefined ? undefined : await findConnection(sql, storeId, integrationId);
  if (integrationId === undefined || !facts?.active) {
    throw new AppError('integration_unusable', NO_INTEGRATION);
  }
  if (!readableApps().includes(facts.app)) {
    throw new AppError('not_readable', 'This delivery cannot be read back.');
  }
  const refusal = integrationRefusal(facts, settings, 1);
  if (refusal !== undefined) throw new AppError('integration_unusable', refusal);
  return integrationId;
}
