import { setTimeout as delay } from 'node:timers/promises';
import { bundleWorkflowCode, DefaultLogger, NativeConnection, Worker } from '@temporalio/worker';
import { createLog } from '../../src/platform/observe/log';
import { installRuntime } from '../../src/platform/temporal/runtime';
import { TASK_QUEUES } from '../../src/platform/temporal/workflow-names';
import { claimNewestUpload, type PublicationKey } from '../../src/uploads/sql/publications';
import { postponeUpload } from '../../src/uploads/sql/upload-attempts';
import type { EarlierActivities } from '../support/earlier-release-workflows';
import type { Shop, SimulatedAppName } from '../support/shop';
import { prepareSystem, stopSystems, type System } from '../support/system';
import { createUploadSteps, type UploadSteps } from '../support/upload-steps';
import { until } from '../support/until';

/** Where the release before was with an upload when its workers were stopped, and the app that it was for. */
const PLACES = {
  'its push under way': 'app-b',
  'its push answered and its end not written': 'app-b',
  'its task accepted': 'app-c',
  'its next round planned': 'app-b',
} satisfies Record<string, SimulatedAppName>;
type Place = keyof typeof PLACES;

/** What its row has there. */
const PROOF = {
  'its push under way': 'payloadSha256',
  'its push answered and its end not written': 'payloadSha256',
  'its task accepted': 'taskId',
  'its next round planned': 'nextAttemptAt',
} as const;

installRuntime(createLog('silent'));

let system: System;
let steps: UploadSteps;
let stopEarlierWorker: () => Promise<void>;
const places = new Map<number, Place>();

const earlierStops = new AbortController();
/** Until the worker of the release before is stopped, as in the middle of something. */
const hang = () => delay(3_600_000, undefined, { signal: earlierStops.signal });

/** What activities of the release before did to rows and apps. */
const activities: EarlierActivities = {
  async claimNewest(key: PublicationKey) {
    const claim = await claimNewestUpload(system.sql, key, 'run');
    if (!('attemptNo' in claim)) throw new Error(claim.kind);
    return { ...key, uploadId: claim.uploadId, attemptNo: claim.attemptNo };
  },
  async fetchToken(upload) {
    return (await steps.fetchToken(upload)).next;
  },
  async transformMenu(upload) {
    return (await steps.transformMenu({ ...upload, tokenFetched: true })).next;
  },
  async pushMenu(upload) {
    switch (places.get(upload.storeId)) {
      case 'its task accepted':
        return (await steps.pushMenu(upload)).next;
      case 'its next round planned':
        return 'later';
      case 'its push answered and its end not written':
        return 'decided';
      case 'its push under way':
      case undefined:
        await hang();
        return 'decided';
    }
  },
  async confirmTask() {
    await hang();
    return 'running';
  },
  async recordOutcome(upload) {
    if (places.get(upload.storeId) !== 'its next round planned') return 'waiting';
    await postponeUpload(system.sql, upload, {
      delayMs: 60_000,
      reason: 'status 503',
      afterMs: null,
    });
    return 'waiting';
  },
};

async function startEarlierWorker(): Promise<() => Promise<void>> {
  const { TEMPORAL_ADDRESS: address = '', TEMPORAL_NAMESPACE: namespace = '' } = system.env;
  const connection = await NativeConnection.connect({ address });
  const worker = await Worker.create({
    connection,
    namespace,
    taskQueue: TASK_QUEUES.menus,
    workflowBundle: await bundleWorkflowCode({
      workflowsPath: require.resolve('../support/earlier-release-workflows'),
      logger: new DefaultLogger('ERROR'),
    }),
    activities,
  });
  const ended = worker.run();
  let stopped: Promise<void> | undefined;
  return () =>
    (stopped ??= (async () => {
      worker.shutdown();
      earlierStops.abort();
      await ended;
      await connection.close();
    })());
}

/** Waits until the upload has a payload, a task, or a time for its next round. */
async function reached(
  uploadId: string,
  what: 'payloadSha256' | 'taskId' | 'nextAttemptAt',
): Promise<void> {
  await until(async () => {
    const [row] = await system.sql<Record<typeof what, unknown>[]>`
      select payload_sha256, task_id, next_attempt_at from menu_upload where upload_id = ${uploadId}`;
    return row !== undefined && row[what] !== null;
  });
}

beforeAll(async () => {
  system = await prepareSystem();
  await system.startApi();
  steps = createUploadSteps(system);
  stopEarlierWorker = await startEarlierWorker();
});
afterAll(async () => {
  await stopEarlierWorker();
  await steps.close();
  await stopSystems();
});

test('an upgrade during uploads of every state loses none: runs of the previous release are replaced', async () => {
  const asked = { headers: { prefer: 'respond-async' } };
  const waiting: { shop: Shop; uploadId: string }[] = [];
  for (const place of Object.keys(PLACES) as Place[]) {
    const shop = await system.openShop(PLACES[place]);
    places.set(shop.storeId, place);
    const { uploadId } = await shop.upload('new', asked);
    waiting.push({ shop, uploadId });
    await reached(uploadId, PROOF[place]);
  }
  await stopEarlierWorker();
  // What waits for its next round waits no longer than the test.
  await system.sql`
    update menu_upload set next_attempt_at = now() where next_attempt_at is not null`;
  await system.sql`
    update schema_migration set applied_at = now() where name like '%no_verdict.sql'`;
  await delay(1_500); // until Temporal's list has the runs
  const queued = await system.openShop('app-b');
  waiting.push({ shop: queued, uploadId: (await queued.upload('new', asked)).uploadId });
  const [before] = waiting;

  await system.startWorker();
  for (const { shop, uploadId } of waiting) {
    expect(await shop.ended(uploadId)).toMatchObject({ state: 'uploaded', messages: [] });
    expect(await shop.shown()).toBe('new');
  }
  // A store whose run was replaced is like any other.
  expect((await before?.shop.upload('newer'))?.status).toBe(200);
}, 150_000);
