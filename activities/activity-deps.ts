import type { Waker } from '../src/platform/queue/waker';
import type { Config } from '../src/platform/config/config';
import type { AppCall } from '../src/metrics/types';
import type { AtCheckpoint } from '../src/platform/checkpoint';
import type { Sql } from '../src/platform/db/client';
import type { AppTokens } from '../src/delivery-apps/tokens/app-tokens';
import type { AppName } from '../src/delivery-apps/types';
import type { DocumentStore } from '../src/uploads/documents';
import type { FinalUploadState } from '../src/uploads/upload';
import type { TransformSettings } from '../src/delivery-apps/transform-settings';
import type { UploadTiming } from '../src/uploads/upload-retries';
import type { PushNext, StepReport } from '../src/uploads/upload-report';
import type { FreezeWatch } from '../src/platform/observe/freeze-watch';
import type { Log } from '../src/platform/observe/log';
import type { MenuPreparer } from '../src/uploads/preparation/menu-preparer';
import type { ImageInspector } from '../src/delivery-apps/images/image-inspector';
import type { OutboundClient } from '../src/platform/outbound/types';
import type { PushesUnderWay } from '../src/uploads/pushes-under-way';
import type { PushPermits } from '../src/uploads/push-permits';
import type { PushQueue } from '../src/uploads/push-queue';
import type { SecretBox } from '../src/platform/crypto/secrets';

/** What the activities of a menu's publication need; those of availability and live checks need parts of it. */
export interface MenuActivityDeps {
  readonly sql: Sql;
  readonly secrets: SecretBox;
  readonly documents: DocumentStore;
  readonly menus: MenuPreparer;
  readonly http: OutboundClient;
  readonly images: ImageInspector;
  readonly waker: Waker;
  readonly pushQueue: PushQueue;
  readonly pushPermits: PushPermits;
  readonly pushes: PushesUnderWay<StepReport<PushNext>>;
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
