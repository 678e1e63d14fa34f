import { Registry } from 'prom-client';
import { createBounds } from '../../src/platform/admission/bound-metrics';
import { MockActivityEnvironment } from '@temporalio/testing';
import { createMenuActivities, type MenuActivities } from '../../activities/menu-activities';
import { noCheckpoints, type AtCheckpoint } from '../../src/platform/checkpoint';
import { loadConfig } from '../../src/platform/config/config';
import { createConfiguredSecretBox } from '../../src/run/configured-secrets';
import { claimNewestUpload, type PublicationKey } from '../../src/uploads/sql/publications';
import {
  findUploadOutcome,
  insertUpload,
  type UploadOutcomeRow,
} from '../../src/uploads/sql/uploads';
import { createAppTokens } from '../../src/delivery-apps/tokens/app-tokens';
import { createDocumentStore } from '../../src/uploads/documents';
import type { MenuDocument } from '../../src/menus/menu';
import { UPLOAD_TIMING } from '../../src/uploads/upload-retries';
import { watchFreezes } from '../../src/platform/observe/freeze-watch';
import { newId, type UploadId, type UserId } from '../../src/platform/ids';
import { createLog } from '../../src/platform/observe/log';
import { createMenuPreparer } from '../../src/uploads/preparation/menu-preparer';
import { createOutboundClient } from '../../src/platform/outbound/http-client';
import { createImageInspector } from '../../src/delivery-apps/images/image-inspector';
import type { Waker } from '../../src/platform/queue/waker';
import { createPushesUnderWay } from '../../src/uploads/pushes-under-way';
import { createPushPermits } from '../../src/uploads/push-permits';
import { createPushQueue, tokenPermit } from '../../src/uploads/push-queue';
import type { Shop } from './shop';
import { prepareSystem, stopSystems, type System, type SystemOptions } from './system';
import { versionedMenu } from './versioned-menu';

export interface ClaimedUpload {
  readonly uploadId: UploadId;
  readonly attemptNo: number;
}

/** The steps of an upload, called one by one as the workflow would, with everything behind them real. */
export interface UploadSteps extends Omit<MenuActivities, 'claimNewest'> {
  /** Inserts an upload for the shop. */
  insert(shop: Shop, menu: MenuDocument, skipUnchanged?: boolean): Promise<void>;
  /** The same, and claims it. */
  claim(shop: Shop, menu: MenuDocument, skipUnchanged?: boolean): Promise<ClaimedUpload>;
  /** The same, and does everything before the push. */
  prepare(shop: Shop, version?: number, skipUnchanged?: boolean): Promise<ClaimedUpload>;
  /** The activity that claims the newest upload of the shop. */
  claimNewest(shop: Shop): ReturnType<MenuActivities['claimNewest']>;
  /** Another worker takes the upload over; one that waits for its next round need not wait longer. */
  takeOver(shop: Shop): Promise<ClaimedUpload>;
  outcome(upload: ClaimedUpload): Promise<Pick<UploadOutcomeRow, 'state' | 'messages'>>;
  close(): Promise<void>;
}

export interface UploadStepsOptions {
  /** The code of the threads that prepare menus, where it is not the real one. */
  readonly menuThread?: string;
  /** How long a menu waits for such a thread, ms. */
  readonly longestThreadWaitMs?: number;
  readonly atCheckpoint?: AtCheckpoint;
}

/** The steps in a system of the test file's own. Registers the hooks that fill both objects. */
export function useUploadSteps(options: SystemOptions = {}): {
  system: System;
  steps: UploadSteps;
} {
  const system = {} as System;
  const steps = {} as UploadSteps;
  beforeAll(async () => {
    Object.assign(system, await prepareSystem(options));
    Object.assign(steps, createUploadSteps(system));
  });
  afterAll(async () => {
    await steps.close();
    await stopSystems();
  });
  return { system, steps };
}

export function createUploadSteps(
  { sql, env }: System,
  { menuThread, longestThreadWaitMs, atCheckpoint = noCheckpoints }: UploadStepsOptions = {},
): UploadSteps {
  const config = loadConfig(env);
  const http = createOutboundClient({ allowCidrs: config.OUTBOUND_ALLOW_CIDRS, userAgent: 'test' });
  const documents = createDocumentStore(sql);
  const freezes = watchFreezes();
  const secrets = createConfiguredSecretBox(config);
  const bounds = createBounds(new Registry());
  // Uploads are called by the test.
  const waker: Waker = { wake: async () => 'woken', ended: async () => {} };
  const pushQueue = createPushQueue({ sql, waker, log: createLog('silent') });
  const menus = createMenuPreparer({
    documents,
    deadlineMs: config.TRANSFORM_TIMEOUT,
    ...(menuThread === undefined ? {} : { file: menuThread }),
    ...(longestThreadWaitMs === undefined ? {} : { longestWaitMs: longestThreadWaitMs }),
  });
  const activities = createMenuActivities({
    waker,
    sql,
    http,
    documents,
    menus,
    freezes,
    images: createImageInspector({ http, sql, bounds }),
    pushQueue,
    pushPermits: createPushPermits({ bounds, queue: pushQueue }),
    pushes: createPushesUnderWay({ bounds, onLost() {} }),
    tokens: createAppTokens({
      sql,
      secrets,
      resumeWaiting: (key, count) => pushQueue.resume(tokenPermit(key), count),
      timeoutMs: config.DELIVERY_APP_TIMEOUT,
    }),
    log: createLog('silent'),
    atCheckpoint,
    onEnded: () => {},
    secrets,
    settings: { ...config, ...UPLOAD_TIMING, settleMs: config.APP_C_SETTLE },
  });
  // What an activity uses of its worker: heartbeats, cancellation, its own identity.
  const environment = new MockActivityEnvironment();
  const inside =
    <I, R>(activity: (input: I) => Promise<R>) =>
    (input: I): Promise<R> =>
      environment.run(activity, input);

  async function takeOver({ storeId, integrationId }: Shop): Promise<ClaimedUpload> {
    await sql`
      update menu_upload set next_attempt_at = now()
      where store_id = ${storeId}::bigint and next_attempt_at is not null`;
    const claimed = await claimNewestUpload(sql, { storeId, integrationId }, 'run');
    if (!('attemptNo' in claimed)) throw new Error(`not claimed: ${claimed.kind}`);
    return { uploadId: claimed.uploadId, attemptNo: claimed.attemptNo };
  }
  async function insert(shop: Shop, menu: MenuDocument, skipUnchanged = false): Promise<void> {
    const [user] = await sql<{ userId: UserId }[]>`select user_id from app_user limit 1`;
    await insertUpload(sql, {
      uploadId: newId('upl'),
      storeId: shop.storeId,
      integrationId: shop.integrationId,
      userId: user?.userId ?? ('' as UserId),
      requestId: 'request',
      document: await documents.pack(Buffer.from(JSON.stringify(menu))),
      sentBeside: '{}',
      skipUnchanged,
      republishedFrom: null,
      waitMs: 0,
      heldKey: null,
    });
  }
  async function claim(shop: Shop, menu: MenuDocument, skipUnchanged = false) {
    await insert(shop, menu, skipUnchanged);
    return takeOver(shop);
  }
  const claimNewest = inside((key: PublicationKey) => activities.claimNewest(key));
  const fetchToken = inside((upload: ClaimedUpload) => activities.fetchToken(upload));
  const transformMenu = inside((upload: ClaimedUpload & { tokenFetched?: boolean }) =>
    activities.transformMenu(upload),
  );
  return {
    takeOver,
    claimNewest: ({ storeId, integrationId }) => claimNewest({ storeId, integrationId }),
    fetchToken,
    transformMenu,
    checkImages: inside((upload) => activities.checkImages(upload)),
    pushMenu: inside((upload) => activities.pushMenu(upload)),
    pushPromptly: inside((upload) => activities.pushPromptly(upload)),
    confirmTask: inside((upload) => activities.confirmTask(upload)),
    postpone: inside((upload: ClaimedUpload & { isDue?: boolean }) => activities.postpone(upload)),
    insert,
    claim,
    async prepare(shop, version = 1, skipUnchanged = false) {
      const upload = await claim(shop, versionedMenu(version), skipUnchanged);
      let { next } = await transformMenu(upload);
      if (next === 'no_token') {
        await fetchToken(upload);
        ({ next } = await transformMenu({ ...upload, tokenFetched: true }));
      }
      if (next !== 'ready') throw new Error(`not ready for its push: ${next}`);
      return upload;
    },
    async outcome({ uploadId }) {
      const row = await findUploadOutcome(sql, uploadId);
      if (!row) throw new Error(`no upload ${uploadId}`);
      return { state: row.state, messages: row.messages };
    },
    async close() {
      freezes.stop();
      await menus.close();
      await http.close();
    },
  };
}
