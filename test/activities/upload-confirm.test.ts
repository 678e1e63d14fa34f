import { prepareSystem, stopSystems, type System } from '../support/system';
import { createUploadSteps, type UploadSteps } from '../support/upload-steps';
import { versionedMenu } from '../support/versioned-menu';

let system: System;
let steps: UploadSteps;
beforeAll(async () => {
  system = await prepareSystem();
  steps = createUploadSteps(system);
});
afterAll(async () => {
  await steps.close();
  await stopSystems();
});

test('while a task is asked after, newer uploads need not wake the workflow, and do not make it ask at once', async () => {
  const shop = await system.openShop('app-c');
  await shop.fault({ kind: 'task_stuck' });
  const upload = await steps.claim(shop, versionedMenu(1));
  await steps.fetchToken(upload);
  await steps.transformMenu({ ...upload, tokenFetched: true });
  expect(await steps.pushMenu(upload)).toMatchObject({ next: 'accepted' });
  // The promise of the claim has run out.
  await system.sql`
    update publication set alive_until = now() - interval '1 s'
    where store_id = ${shop.storeId}::bigint`;
  expect(await steps.confirmTask(upload)).toMatchObject({ next: 'running' });
  const [row] = await system.sql<{ awake: boolean }[]>`
    select alive_until > now() + interval '100 s' as awake from publication
    where store_id = ${shop.storeId}::bigint`;
  expect(row).toEqual({ awake: true });
  await steps.takeOver(shop);
  expect(await steps.confirmTask(upload)).toEqual({ next: 'stale' });
});
