import { prepareSystem, stopSystems } from '../support/system';
import { createUploadSteps } from '../support/upload-steps';
import { versionedMenu } from '../support/versioned-menu';

const NOT_SECURE = 'http://images.example/a.png';
// Nothing listens there.
const UNREACHABLE = 'https://127.0.0.1:1/b.png';

afterEach(stopSystems);

async function inspect(policy: 'drop' | 'refuse') {
  const system = await prepareSystem({ env: { IMAGE_POLICY: policy } });
  const steps = createUploadSteps(system);
  const menu = versionedMenu(1);
  const images = [NOT_SECURE, UNREACHABLE];
  const items = menu.items.map((item, n) => ({ ...item, image_url: images[n] ?? null }));
  const shop = await system.openShop('app-a');
  const upload = await steps.claim(shop, { ...menu, items });
  await steps.fetchToken(upload);
  expect(await steps.transformMenu(upload)).toEqual({ next: 'images' });
  const result = await steps.checkImages(upload);
  const { messages } = await steps.outcome(upload);
  if (result.next === 'ready') await steps.pushMenu(upload);
  const [row] = await system.sql<{ losses: { code: string; externalId?: string }[] }[]>`
    select losses from menu_upload where upload_id = ${upload.uploadId}`;
  await steps.close();
  return { result, messages, losses: row?.losses ?? [], shown: await shop.shown() };
}

test('images that break App A’s rules are left out, each reported as a loss, and the menu goes live', async () => {
  const { result, losses, shown } = await inspect('drop');
  expect(result).toEqual({ next: 'ready', summary: '2 images left out' });
  const dropped = losses.filter(({ code }) => code === 'image_out_of_rules');
  expect(dropped).toHaveLength(2);
  expect(shown).toBe('1');
});

test('with the policy `refuse` they refuse the menu with one message each, in document order', async () => {
  const { result, messages, shown } = await inspect('refuse');
  expect(result).toMatchObject({ next: 'ended', state: 'failed' });
  expect(messages).toEqual([
    'The item image must be served over SSL: I1',
    'The item image could not be read: I2',
  ]);
  expect(shown).toBeUndefined();
});
