import { Registry } from 'prom-client';
import { createBounds } from '../../src/bounds';
import { MockActivityEnvironment } from '@temporalio/testing';
import { createMenuActivities, type MenuActivities } from '../../activities/menu-activities';
import { noCheckpoints, type ReachCheckpoint } from '../../src/checkpoint';
import { loadConfig } from '../../src/config';
import { createConfiguredSecretBox } from '../../src/configured-secrets';
import { claimNewestUpload } from '../../src/db/publications';
import { findVerdict, insertUpload } from '../../src/db/uploads';
import { createAppTokens } from '../../src/delivery-apps/app-tokens';
import { createDocumentStore } from '../../src/documents';
import type { MenuDocument } from '../../src/domain/menu';
import { UPLOAD_TIMING } from '../../src/domain/upload';
import type { UploadVerdict } from '../../src/domain/upload-verdict';
import { watchFreezes } from '../../src/freeze-watch';
import { newId, type UploadId, type UserId } from '../../src/ids';
import { createLog } from '../../src/log';
import { createMenuPreparer } from '../../src/menus/menu-preparer';
import { createOutboundClient } from '../../src/outbound/http-client';
import { createImageInspector } from '../../src/outbound/image-inspector';
import type { Nudger } from '../../src/queue/nudger';
import { createPushRooms } from '../../src/queue/push-rooms';
import { createUploadTurns } from '../../src/queue/upload-turns';
import type { Shop } from './shop';
import type { System } from './system';

export interface ClaimedUpload {
  readonly uploadId: UploadId;
  readonly attemptNo: number;
}

/** The steps of an upload, called one by one as the workflow would, with everything behind them real. */
export interface UploadSteps extends Omit<MenuActivities, 'claimNewest'> {
  /** Inserts an upload for the shop and claims it. */
  claim(shop: Shop, menu: MenuDocument, skipUnchanged?: boolean): Promise<ClaimedUpload>;
  /** Another worker takes the upload over. */
  takeOver(shop: Shop): Promise<ClaimedUpload>;
  verdict(upload: ClaimedUpload): Promise<UploadVerdict | undefined>;
  close(): Promise<void>;
}

export interface UploadStepsOptions {
  /** The code of the threads that prepare menus, where it is not the real one. */
  readonly menuThread?: string;
  readonly reach?: ReachCheckpoint;
}

export function createUploadSteps(
  { sql, env }: System,
  { menuThread, reach = noCheckpoints }: UploadStepsOptions = {},
): UploadSteps {
  const config = loadConfig(env);
  const http = createOutboundClient({ allowCidrs: config.OUTBOUND_ALLOW_CIDRS, userAgent: 'test' });
  const documents = createDocumentStore(sql);
  const freezes = watchFreezes();
  const secrets = createConfiguredSecretBox(config);
  const bounds = createBounds(new Registry());
  // Who is called here is called by the test.
  const nudger: Nudger = { nudge: async () => 'nudged', drained: async () => {} };
  const turns = createUploadTurns({ sql, nudger, log: createLog('silent') });
  const menus = createMenuPreparer({
    documents,
    deadlineMs: config.TRANSFORM_TIMEOUT,
    ...(menuThread === undefined ? {} : { file: menuThread }),
  });
  const activities = createMenuActivities({
    sql,
    http,
    documents,
    menus,
    freezes,
    images: createImageInspector({ http, sql, bounds }),
    turns,
    rooms: createPushRooms(bounds),
    tokens: createAppTokens({ sql, secrets, turns, timeoutMs: config.DELIVERY_APP_TIMEOUT }),
    log: createLog('silent'),
    reach,
    secrets,
    settings: { ...config, ...UPLOAD_TIMING, settleMs: config.APP_C_SETTLE },
  });
  // What an activity may ask of the worker that runs it: heartbeats, cancellation, who it is.
  const environment = new MockActivityEnvironment();
  const inside =
    <I, R>(activity: (input: I) => Promise<R>) =>
    (input: I): Promise<R> =>
      environment.run(activity, input);

  async function takeOver({ storeId, integrationId }: Shop): Promise<ClaimedUpload> {
    const claim = await claimNewestUpload(sql, { storeId, integrationId }, 'run');
    if (!('attemptNo' in claim)) throw new Error(`not claimed: ${claim.kind}`);
    return { uploadId: claim.uploadId, attemptNo: claim.attemptNo };
  }
  return {
    takeOver,
    fetchToken: inside((upload) => activities.fetchToken(upload)),
    transformMenu: inside((upload) => activities.transformMenu(upload)),
    checkImages: inside((upload) => activities.checkImages(upload)),
    pushMenu: inside((upload) => activities.pushMenu(upload)),
    confirmTask: inside((upload) => activities.confirmTask(upload)),
    recordOutcome: inside((outcome) => activities.recordOutcome(outcome)),
    async claim(shop, menu, skipUnchanged = false) {
      const [user] = await sql<{ userId: UserId }[]>`select user_id from app_user limit 1`;
      await insertUpload(sql, {
        uploadId: newId('upl'),
        storeId: shop.storeId,
        integrationId: shop.integrationId,
        userId: user?.userId ?? ('' as UserId),
        requestId: 'request',
        document: await documents.pack(Buffer.from(JSON.stringify(menu))),
        skipUnchanged,
        waitMs: 0,
        mark: null,
      });
      return takeOver(shop);
    },
    verdict: ({ uploadId, attemptNo }) => findVerdict(sql, uploadId, attemptNo),
    async close() {
      freezes.stop();
      await menus.close();
      await http.close();
    },
  };
}
