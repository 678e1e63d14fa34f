import type { Nudger } from '../src/platform/queue/nudger';
import type { Config } from '../src/platform/config/config';
import type { AppCall } from '../src/metrics/types';
import type { AtCheckpoint } from '../src/platform/checkpoint';
import type { AppTokenRow } from '../src/delivery-apps/sql/app-tokens';
import type { Sql } from '../src/platform/db/client';
import { findUploadTarget, type UploadTarget } from '../src/uploads/sql/upload-target';
import type { AttemptKey } from '../src/uploads/sql/upload-attempts';
import { openCredential } from '../src/delivery-apps/tokens/app-access';
import type { AppTokens } from '../src/delivery-apps/tokens/app-tokens';
import { findDeliveryApp } from '../src/delivery-apps/registry';
import type { AppName } from '../src/delivery-apps/types';
import type { DocumentStore } from '../src/uploads/documents';
import type { FinalUploadState } from '../src/uploads/upload';
import type { TransformSettings } from '../src/delivery-apps/transform-settings';
import type { UploadTiming } from '../src/uploads/upload-retries';
import type { PushReport, StepReport } from '../src/uploads/upload-report';
import type { FreezeWatch } from '../src/platform/observe/freeze-watch';
import type { Log } from '../src/platform/observe/log';
import type { MenuPreparer } from '../src/uploads/preparation/menu-preparer';
import type { ImageInspector } from '../src/delivery-apps/images/image-inspector';
import type { OutboundClient } from '../src/platform/outbound/types';
import type { PushesUnderWay } from '../src/uploads/pushes-under-way';
import type { PushPlaces } from '../src/uploads/push-places';
import type { PushQueue } from '../src/uploads/push-queue';
import type { SecretBox } from '../src/platform/crypto/secrets';
import { type AppContext, openClient } from './app-context';
import { endUpload } from './upload-step';

export interface MenuActivityDeps {
  readonly sql: Sql;
  readonly secrets: SecretBox;
  readonly documents: DocumentStore;
  readonly menus: MenuPreparer;
  readonly http: OutboundClient;
  readonly images: ImageInspector;
  readonly nudger: Nudger;
  readonly pushQueue: PushQueue;
  readonly pushPlaces: PushPlaces;
  readonly pushes: PushesUnderWay<PushReport>;
  readonly tokens: AppTokens;
  readonly freezes: FreezeWatch;
  readonly log: Log;
  readonly atCheckpoint: AtCheckpoint;
  /** Called for each upload that a step ends. */
  readonly onEnded: (app: AppName, state: FinalUploadState) => void;
  /** Called for each call to a delivery app, with its duration in s. */
  readonly onAppCall?: ((call: AppCall, seconds: number) => void) | undefined;
  readonly settings: Pick<
    Config,
    'DELIVERY_APP_TIMEOUT' | 'IMAGE_POLICY' | 'APP_D' | 'APP_D_TOKEN_URL'
  > &
    TransformSettings &
    UploadTiming;
}

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
 * Loads the attempt and runs `step` with it. If the app cannot be called for the store any more, the upload ends, as
 * there is nothing left to try: the integration or its connection was removed or lacks its base URL, a credential or
 * the store's id in the app, or the adapter is not enabled. `stale`: another attempt has taken over, so nothing was
 * changed.
 */
export async function withLoadedAttempt<Next extends string>(
  deps: MenuActivityDeps,
  { uploadId, attemptNo }: AttemptKey,
  step: (attempt: Attempt) => Promise<StepReport<Next>>,
): Promise<StepReport<Next>> {
  const key = { uploadId, attemptNo };
  const target = await findUploadTarget(deps.sql, key);
  const registered = target && findDeliveryApp(target.app, deps.settings);
  if (!target || !registered?.configured) {
    const reasons = ['The integration is no longer configured for this store.'];
    return endUpload(deps, key, { kind: 'rejected', reasons });
  }
  const { app } = registered;
  const credential = openCredential(target, app.tokenScope, deps.secrets);
  return step({
    ...key,
    target,
    app,
    ...openClient(deps, target, app, (pushed, shown) =>
      deps.menus.compare(app.name, pushed, shown),
    ),
    credential,
    keptToken: target.keptTokens.find((row) => row.usable && row.credentialKey === credential.key),
  });
}

/** How long the app may take for a menu that it has accepted, ms. */
export function deadlineOf(
  { app }: Pick<Attempt, 'app'>,
  { settings }: Pick<MenuActivityDeps, 'settings'>,
): number {
  return app.approvedByPeople ? settings.approvalDeadlineMs : settings.taskDeadlineMs;
}
