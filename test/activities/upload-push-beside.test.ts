import { SLOW_PUSH } from '../../src/uploads/upload-report';
import type { Shop } from '../support/shop';
import { createUploadSteps, useUploadSteps } from '../support/upload-steps';
import { versionedMenu } from '../support/versioned-menu';

const { system, steps } = useUploadSteps();

/** Version 0 is live, and the request with version 1 is at the app, for longer than a lease without renewal. */
async function pushSlowly() {
  const shop = await system.openShop('app-b');
  await steps.pushMenu(await steps.prepare(shop, 0));
  const upload = await steps.prepare(shop, 1);
  await shop.fault({ kind: 'slow', ms: 3_500, route: 'upload' });
  expect(await steps.pushPromptly(upload)).toEqual(SLOW_PUSH);
  return shop;
}

/** Version 2 is pushed behind the request with version 1, never beside it, and is what guests see. */
async function expectInTurn(shop: Shop, push: Promise<unknown>): Promise<void> {
  expect(await push).toMatchObject({ next: 'ended', state: 'uploaded' });
  expect(await shop.accepted()).toEqual([0, 1, 2].map(String));
  const [, first, second] = await shop.requests('upload');
  expect(Date.parse(second?.started_at ?? '')).toBeGreaterThanOrEqual(
    Date.parse(first?.finished_at ?? ''),
  );
}

describe('while a push lasts whose workflow task was lost', () => {
  test('a newer menu that ends without a push does not let the next one begin beside it', async () => {
    const shop = await pushSlowly();
    const newer = versionedMenu(9);
    const closed = newer.menus.map((menu) => ({ ...menu, schedules: [] }));
    await steps.insert(shop, { ...newer, menus: closed });
    expect(await steps.claimNewest(shop)).toMatchObject({
      transformed: { next: 'ended', state: 'failed' },
    });
    await expectInTurn(shop, steps.pushMenu(await steps.prepare(shop, 2)));
  });

  test('its next attempt that ends without a push does not either', async () => {
    const shop = await pushSlowly();
    const second = await steps.takeOver(shop);
    const setClient = (clientId: string | null) => system.sql`
      update integration set client_id = ${clientId} where integration_id = ${shop.integrationId}::bigint`;
    const [row] = await system.sql<{ clientId: string }[]>`
      select client_id from integration where integration_id = ${shop.integrationId}::bigint`;
    await setClient(null);
    expect(await steps.transformMenu(second)).toMatchObject({ next: 'ended', state: 'failed' });
    await setClient(row?.clientId ?? '');
    await expectInTurn(shop, steps.pushMenu(await steps.prepare(shop, 2)));
  });
});

test('two processes that try the same push in vain do so one after the other, and plan one round', async () => {
  const shop = await system.openShop('app-b');
  const [upload, other] = [await steps.prepare(shop), createUploadSteps(system)];
  await shop.fault({ kind: 'status', status: 503, times: 20 });
  const ends = await Promise.all([steps.pushMenu(upload), other.pushPromptly(upload)]);
  const late = await other.pushMenu(upload);
  expect([ends[0].next, late.next].toSorted()).toEqual(['later', 'stale']);
  const requests = await shop.requests('upload');
  expect(requests.length).toBeGreaterThanOrEqual(3);
  // Three quick tries of each process at most.
  expect(requests.length).toBeLessThanOrEqual(6);
  const [row] = await system.sql`
    select next_attempt_at is not null as is_planned, failed_tries from menu_upload
    where upload_id = ${upload.uploadId}`;
  expect(row).toEqual({ isPlanned: true, failedTries: requests.length });
  await other.close();
});
