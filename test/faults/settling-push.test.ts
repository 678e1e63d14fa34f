import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import { menuPublicationId } from '../../src/platform/temporal/workflow-names';
import type { Shop } from '../support/shop';
import { prepareSystem, startSystem, stopSystems, type System } from '../support/system';
import { until } from '../support/until';

// Each has a system of its own, which waits for most of the time: they run at once.
afterAll(stopSystems);

/** The message of a waiting upload, once it has one. */
async function toldWhy(shop: Shop, uploadId: string): Promise<string | undefined> {
  let messages: readonly string[] = [];
  await until(async () => {
    ({ messages } = await shop.status(uploadId));
    return messages[0]?.startsWith('The answer to an earlier menu was lost') === true;
  });
  return messages[0];
}

/** What the Temporal UI shows of the store's workflow. */
async function currentDetails({ env }: System, shop: Shop): Promise<string> {
  const connection = await Connection.connect({ address: env['TEMPORAL_ADDRESS'] ?? '' });
  try {
    const namespace = env['TEMPORAL_NAMESPACE'];
    const client = new Client({ connection, ...(namespace && { namespace }) });
    const id = menuPublicationId(shop.storeId, shop.integrationId);
    const { currentDetails: details } = await client.workflow
      .getHandle(id)
      .query<{ currentDetails: string }>('__temporal_workflow_metadata');
    return details;
  } finally {
    await connection.close();
  }
}

test.concurrent('an asynchronous app whose worker died in a push is sent nothing newer before that push has settled', async () => {
  const system = await prepareSystem({ env: { APP_C_SETTLE: '8s' } });
  await system.startApi();
  const shop = await system.openShop('app-c');
  const mortal = await system.startChild({ role: 'worker', stopAt: ['worker:after-push'] });
  const older = shop.upload('older');
  await mortal.reached(1);
  const newer = shop.upload('newer');
  mortal.kill('SIGKILL');
  await system.startWorker();
  const ends = await Promise.all(
    [older, newer].map(async (answer) => (await shop.ended((await answer).uploadId)).state),
  );
  expect(await shop.shown()).toBe('newer');

  expect(ends[1]).toBe('uploaded');
  const starts = (await shop.requests('upload')).map((each) => Date.parse(each.started_at));
  expect((starts.at(-1) ?? 0) - (starts[0] ?? 0)).toBeGreaterThanOrEqual(8_000);
});

test.concurrent('a menu that waits after a lost answer says why and until when, in its status and in the Temporal UI', async () => {
  const system = await startSystem({ env: { APP_C_SETTLE: '8s', DELIVERY_APP_TIMEOUT: '1s' } });
  const shop = await system.openShop('app-c');
  // A round of tries whose answers all come too late.
  await shop.fault({ kind: 'late', ms: 3_000, times: 3 });
  const respondAsync = { headers: { prefer: 'respond-async' } };
  const older = await shop.upload('older', respondAsync);
  await until(async () => (await shop.requests('upload')).length >= 3);
  await sleep(1_500);
  const newer = await shop.upload('newer', respondAsync);
  const told = await toldWhy(shop, newer.uploadId);
  expect(told).toMatch(
    /^The answer to an earlier menu was lost and the delivery system may still be working on it: this menu waits until \S+Z\.$/,
  );
  expect(await currentDetails(system, shop)).toBe(told);
  expect((await shop.ended(older.uploadId)).state).toBe('superseded');
  expect(await shop.ended(newer.uploadId)).toMatchObject({ state: 'uploaded', messages: [] });
  const pushed = (await shop.requests('upload')).map((each) => Date.parse(each.started_at));
  expect((pushed[3] ?? 0) - (pushed[2] ?? 0)).toBeGreaterThanOrEqual(8_000);
  expect(await shop.shown()).toBe('newer');
});
