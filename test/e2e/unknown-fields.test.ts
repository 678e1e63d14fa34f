import { createCaller } from '../support/api';
import { hasEnded, listTargets, startRollout, untilRollout } from '../support/rollouts';
import { startSystem, stopSystems } from '../support/system';
import { versionedMenu } from '../support/versioned-menu';

afterAll(stopSystems);

const MENU = versionedMenu(1);
/** A typing error in an item, and a field that an upload does not have. */
const WITH_MORE = {
  ...MENU,
  items: MENU.items.map((item) => ({ ...item, descripton: 'With cheddar.' })),
  callback_url: 'https://pos.example',
  x_own: 1,
};

const UNKNOWN = [
  ['', 'callback_url (once)'],
  ['/items/0', `items.descripton (${MENU.items.length} times)`],
];

/** Where the fields stand that no app gets, and what is said of them. */
function unknownOf(losses: readonly object[]): (readonly string[])[] {
  return losses.flatMap((loss) => {
    const { code, pointer, message } = loss as Readonly<Record<string, string>>;
    return code === 'unknown_field' ? [[pointer ?? '', message?.split('ignored: ')[1] ?? '']] : [];
  });
}

test('fields that a menu does not have are losses of uploads, republished ones and rollouts', async () => {
  const system = await startSystem();
  const caller = createCaller(system.apiUrl(), '', system.token);
  const shop = await system.openShop('app-b');
  const ids = { store_id: shop.storeId, integration_id: shop.integrationId };
  const lossesOf = async (uploadId: string) => unknownOf((await shop.ended(uploadId)).losses);

  const upload = await caller.post('/menus/upload', { ...ids, ...WITH_MORE });
  const uploadId = upload.headers.get('x-upload-id') ?? '';
  expect(await lossesOf(uploadId)).toEqual(UNKNOWN);
  expect(await shop.status(uploadId)).toMatchObject({ state: 'uploaded' });

  const again = await caller.post(`/menus/uploads/${uploadId}/republish`, {});
  expect(await lossesOf(again.headers.get('x-upload-id') ?? '')).toEqual(UNKNOWN);

  const rolloutId = await startRollout(caller, 2, [ids], { brand: 'A' });
  await untilRollout(caller, rolloutId, hasEnded);
  const [target] = await listTargets(caller, rolloutId);
  expect(await lossesOf(target?.upload_id ?? '')).toEqual([['', 'brand (once)']]);
});
