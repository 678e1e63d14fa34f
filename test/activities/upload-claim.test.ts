import type { AtCheckpoint } from '../../src/platform/checkpoint';
import { LARGE_MENU } from '../support/large-menu';
import { createUploadSteps, useUploadSteps } from '../support/upload-steps';
import { menuWithoutName, versionedMenu } from '../support/versioned-menu';

const { system, steps } = useUploadSteps();

/** A shop whose integration has a stored token, with one menu that waits. */
async function shopWithMenu(menu = versionedMenu(2)) {
  const shop = await system.openShop('app-b');
  await steps.pushMenu(await steps.prepare(shop));
  await steps.insert(shop, menu);
  return shop;
}

test('a small menu is transformed as it is claimed, and needs only its push', async () => {
  const shop = await shopWithMenu();
  const claim = await steps.claimNewest(shop);
  expect(claim).toMatchObject({ kind: 'publish', transformed: { next: 'ready' } });
  if (!('attemptNo' in claim)) throw new Error('not claimed');
  expect(await steps.pushPromptly(claim)).toMatchObject({ next: 'ended', state: 'uploaded' });
});

test('without a stored token the claim says that one must be fetched first', async () => {
  const shop = await system.openShop('app-b');
  await steps.insert(shop, versionedMenu(1));
  expect(await steps.claimNewest(shop)).toMatchObject({ transformed: { next: 'no_token' } });
});

test('a menu that the app cannot be sent ends as it is claimed', async () => {
  const shop = await shopWithMenu(menuWithoutName());
  expect(await steps.claimNewest(shop)).toMatchObject({
    transformed: { next: 'ended', state: 'failed' },
  });
});

test('a large menu is left to its own step', async () => {
  const claim = await steps.claimNewest(await shopWithMenu(LARGE_MENU));
  expect(claim).toMatchObject({ kind: 'publish', attemptNo: 1 });
  expect(claim).not.toHaveProperty('transformed');
});

test('a transform that fails leaves the claim as it is, and is tried again in its own step', async () => {
  let failures = 0;
  const atCheckpoint: AtCheckpoint = async (name) => {
    if (name !== 'worker:before-transform' || failures > 0) return;
    failures += 1;
    throw new Error('Postgres is away');
  };
  const failing = createUploadSteps(system, { atCheckpoint });
  const shop = await shopWithMenu();
  const claim = await failing.claimNewest(shop);
  expect(failures).toBe(1);
  expect(claim).toMatchObject({ kind: 'publish', attemptNo: 1 });
  expect(claim).not.toHaveProperty('transformed');
  if (!('attemptNo' in claim)) throw new Error('not claimed');
  expect(await failing.transformMenu(claim)).toMatchObject({ next: 'ready' });
  expect(await failing.pushPromptly(claim)).toMatchObject({ next: 'ended', state: 'uploaded' });
  await failing.close();
});
