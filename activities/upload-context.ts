import type { Config } from '../src/config';
import type { ReachCheckpoint } from '../src/checkpoint';
import type { Sql } from '../src/db/client';
import { findUploadTarget, type UploadTarget } from '../src/db/integrations';
import { recordStep } from '../src/db/upload-steps';
import { isRunningAttempt, recordVerdict } from '../src/db/uploads';
import { openCredential, type Credential } from '../src/delivery-apps/app-access';
import {
  type HeardAnswer,
  type ListeningClient,
  listenTo,
} from '../src/delivery-apps/heard-answer';
import { findDeliveryApp } from '../src/delivery-apps/registry';
import type { DeliveryApp, DeliveryAppClient } from '../src/delivery-apps/types';
import type { AppTokens } from '../src/delivery-apps/app-tokens';
import type { DocumentStore } from '../src/documents';
import type { UploadStep, UploadTiming } from '../src/domain/upload';
import type { FreezeWatch } from '../src/freeze-watch';
import type { UploadId } from '../src/ids';
import type { Log } from '../src/log';
import type { MenuPreparer } from '../src/menus/menu-preparer';
import type { ImageInspector } from '../src/outbound/image-inspector';
import type { PushRooms } from '../src/queue/push-rooms';
import type { UploadTurns } from '../src/queue/upload-turns';
import type { OutboundClient } from '../src/outbound/types';
import type { SecretBox } from '../src/secrets';

export interface MenuActivityDeps {
  readonly sql: Sql;
  readonly secrets: SecretBox;
  readonly documents: DocumentStore;
  readonly menus: MenuPreparer;
  readonly http: OutboundClient;
  readonly images: ImageInspector;
  readonly turns: UploadTurns;
  readonly rooms: PushRooms;
  readonly tokens: AppTokens;
  readonly freezes: FreezeWatch;
  readonly log: Log;
  readonly reach: ReachCheckpoint;
  readonly settings: Pick<
    Config,
    | 'DELIVERY_APP_TIMEOUT'
    | 'IMAGE_POLICY'
    | 'APP_A_MAXIMUM_PRICE'
    | 'APP_A_PRICE_UNIT'
    | 'APP_C_LEVELS'
    | 'APP_D'
    | 'APP_D_PRICE_UNIT'
    | 'APP_D_TOKEN_URL'
  > &
    UploadTiming;
}

/** What every step of an upload is told: which row, and which attempt may still change it. */
export interface UploadRef {
  readonly uploadId: string;
  readonly attemptNo: number;
}

/** What a step needs of one upload, loaded afresh each time: configuration may have changed between tries. */
export interface UploadContext {
  readonly uploadId: UploadId;
  readonly attemptNo: number;
  readonly target: UploadTarget;
  readonly app: DeliveryApp;
  readonly client: DeliveryAppClient;
  readonly credential: Credential;
  /** Between step and client, to tell afterwards what the app said. */
  readonly listening: ListeningClient;
}

/**
 * Loads the upload and runs `step` with it. `stale`: another attempt has taken over, nothing may be changed.
 * An integration that was taken apart since the upload was accepted decides it: there is nothing left to try.
 */
export async function withUpload<T extends string>(
  deps: MenuActivityDeps,
  ref: UploadRef,
  step: (upload: UploadContext) => Promise<T>,
): Promise<T | 'stale' | 'decided'> {
  const uploadId = ref.uploadId as UploadId;
  const target = await findUploadTarget(deps.sql, uploadId, ref.attemptNo);
  const registered = target && findDeliveryApp(target.app, deps.settings);
  if (!target || !registered?.configured) {
    if (!(await isRunningAttempt(deps.sql, uploadId, ref.attemptNo))) return 'stale';
    const reasons = ['The integration is no longer configured for this store.'];
    await recordVerdict(deps.sql, uploadId, ref.attemptNo, { kind: 'rejected', reasons });
    return 'decided';
  }
  const { app } = registered;
  const listening = listenTo(deps.http);
  return step({
    uploadId,
    attemptNo: ref.attemptNo,
    target,
    app,
    client: app.createClient({
      http: listening.http,
      baseUrl: target.baseUrl,
      timeoutMs: deps.settings.DELIVERY_APP_TIMEOUT,
      ...(deps.settings.APP_D_TOKEN_URL && { tokenUrl: deps.settings.APP_D_TOKEN_URL }),
      compareMenus: (pushed, shown) => deps.menus.compare(app.name, pushed, shown),
    }),
    credential: openCredential(target, app.tokenScope, deps.secrets),
    listening,
  });
}

/** How long the app may take for a menu that it has accepted, ms. */
export function deadlineOf(
  { app }: Pick<UploadContext, 'app'>,
  { settings }: Pick<MenuActivityDeps, 'settings'>,
): number {
  return app.approvedByPeople ? settings.approvalDeadlineMs : settings.taskDeadlineMs;
}

/** How a step ended: what the workflow is told, and what the upload's status shows. */
export interface StepEnd<T> {
  readonly result: T;
  readonly state: 'done' | 'failed' | 'skipped' | 'running';
  readonly reason?: string;
  /** What the app said to make it fail, or has not said to this day. */
  readonly answer?: HeardAnswer | null;
}

/** Runs one step: its beginning and end go into the upload's status, one wide line into the log. */
export async function withStep<T extends string>(
  deps: MenuActivityDeps,
  ref: UploadRef,
  step: UploadStep,
  run: (startedAt: Date) => Promise<StepEnd<T>>,
  options: { announce: boolean } = { announce: true },
): Promise<T> {
  const uploadId = ref.uploadId as UploadId;
  const startedAt = new Date();
  if (options.announce)
    await recordStep(deps.sql, uploadId, ref.attemptNo, step, 'running', startedAt);
  const { result, state, reason, answer } = await run(startedAt);
  if (state !== 'running' || !options.announce) {
    await recordStep(
      deps.sql,
      uploadId,
      ref.attemptNo,
      step,
      state,
      startedAt,
      state === 'failed' ? answer : null,
    );
  }
  deps.log.info({
    upload_id: uploadId,
    attempt: ref.attemptNo,
    step,
    result,
    reason,
    app_status: answer?.status,
    duration_ms: Date.now() - startedAt.getTime(),
  });
  return result;
}
