import { EXAMPLE_MENU } from '../../src/menus/rules/example-menu';
import { untilUsed } from '../support/bounds';
import { startWorld, type World } from './world';

let world: World;

beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

function ask(body: object, query = '') {
  return world.owner.post(`/menus/preview${query}`, {
    store_id: world.storeId,
    ...EXAMPLE_MENU,
    ...body,
  });
}

describe('a request that is wrong', () => {
  test('must name an existing store of the caller', async () => {
    expect(await ask({ store_id: await world.api.store() })).toMatchObject({
      status: 409,
      json: { message: ["You don't have this store available."], data: null },
    });
  });

  test.each([
    [[null], 'The integration ids field is required.'],
    [[''], 'The integration ids field is required.'],
    [[{}], 'The integration ids must be a string.'],
    [['x'.repeat(256)], 'The integration ids may not be greater than 255 characters.'],
  ])('names its integrations by texts or numbers: %j', async (integration_ids, sentence) => {
    expect(await ask({ integration_ids })).toMatchObject({
      status: 422,
      json: { 'integration_ids.0': [sentence] },
    });
  });

  test.each(['', 'all', 'shown,', 'shown, payload', 'Shown', 'shown&include=payload'])(
    'must ask for existing parts, not for %j',
    async (include) => {
      expect(await ask({}, `?include=${include}`)).toMatchObject({
        status: 422,
        json: { include: ['The selected include is invalid.'] },
      });
    },
  );

  test('says true or false of its images', async () => {
    expect(await ask({}, '?check_images=yes')).toMatchObject({
      status: 422,
      json: { check_images: ['The selected check images is invalid.'] },
    });
  });
});

test('the work for a caller who leaves is ended, at whatever moment he does', async () => {
  const images = Array.from({ length: 3 }, (_, n) => `http://127.0.0.1:9/${n}.png`);
  const items = EXAMPLE_MENU.items.map((item, n) => ({ ...item, image_url: images[n] ?? null }));
  for (let ms = 1; ms <= 30; ms += 1) {
    const answer = fetch(`${world.api.url}/api/v1/menus/preview?check_images=true`, {
      method: 'POST',
      headers: { authorization: `Bearer ${world.owner.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ store_id: world.storeId, ...EXAMPLE_MENU, items }),
      signal: AbortSignal.timeout(ms),
    });
    // The last ones may be answered in time.
    await answer.catch(() => {});
  }
  await expect(untilUsed(world.api, 'body_memory', 0)).resolves.toBeUndefined();
});
