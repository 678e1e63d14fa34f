import { type AppTokenRow, isTokenOf } from '../src/delivery-apps/sql/app-tokens';
import { findUploadTarget, type UploadTarget } from '../src/uploads/sql/upload-target';
import type { AttemptKey } from '../src/uploads/sql/upload-attempts';
import { openCredential } from '../src/delivery-apps/tokens/app-access';
import { findDeliveryApp } from '../src/delivery-apps/registry';
import type { StepReport } from '../src/uploads/upload-report';
import { type AppContext, openClient } from './app-context';
import type { MenuActivityDeps } from './activity-deps';
import { endUpload } from './end-round';

/**
 * An attempt with all that a step needs of it, loaded again for each step, because configuration may change between
 * tries.
 */
export interface Attempt extends AttemptKey, Omit<AppContext, 'target'> {
  readonly target: UploadTarget;
  /** The stored token, if it is still usable. */
  readonly keptToken: AppTokenRow | undefined;
}

/**
 * Loads the attempt for a step. If the app cannot be called for the store any more, the upload ends, as there is nothing
 * left to try, and this returns the report: the integration or its connection was removed or lacks its base URL, a
 * credential or the store's id in the app, or the adapter is not enabled. `stale`: another attempt has taken over, so
 * nothing was changed.
 */
export async function loadAttempt(
  deps: MenuActivityDeps,
  key: AttemptKey,
): Promise<Attempt | StepReport<never>> {
  const target = await findUploadTarget(deps.sql, key);
  const registered = target && findDeliveryApp(target.app, deps.settings);
  if (!target || !registered?.configured) {
    const reasons = ['The integration is no longer configured for this store.'];
    return endUpload(deps, key, { kind: 'rejected', reasons });
  }
  const { app } = registered;
  const credential = openCredential(target, app.tokenScope, deps.secrets);
  return {
    ...key,
    target,
    app,
    ...openClient(deps, target, app, target.userId),
    credential,
    keptToken: target.keptTokens.find((row) => row.usable && isTokenOf(row, credential)),
  };
}

/** How long the app may take for a menu that it has accepted, ms. */
export function deadlineOf(
  { app }: Pick<Attempt, 'app'>,
  { settings }: Pick<MenuActivityDeps, 'settings'>,
): number {
  return app.approvedByPeople ? settings.approvalDeadlineMs : settings.taskDeadlineMs;
}
