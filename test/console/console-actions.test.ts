import { type BrowserPage, inBrowser, startBrowser } from '../support/browser';
import { startRollout } from '../support/rollouts';
import { addMenus, type ConsoleMenus } from './console-menus';
import { type ConsoleWorld, startConsoleWorld } from './console-world';

/** A busy machine draws pages slowly. */
jest.setTimeout(120_000);

const [describeInBrowser, title] = inBrowser('every action');

describeInBrowser(title, () => {
  let world: ConsoleWorld;
  let menus: ConsoleMenus;
  let page: BrowserPage;
  beforeAll(async () => {
    world = await startConsoleWorld();
    menus = await addMenus(world);
    await world.owner.post('/events/webhook/manage', { url: 'http://127.0.0.1:9/events' });
    page = await startBrowser();
    await page.look({ width: 1_440, scheme: 'light' });
    await page.open(`${world.api.url}/console/sign-in`);
    await page.evaluate(
      `document.querySelector('input[name=token]').value = ${JSON.stringify(world.owner.token)}`,
    );
    await page.follow('document.querySelector("form").requestSubmit()');
  });
  afterAll(async () => {
    await page.close();
    await world.api.stop();
  });

  /** Presses an action of a page, answers its question, and ends on this page. */
  async function act(path: string, name: string, question: string, next = path): Promise<void> {
    await page.open(`${world.api.url}${path}`);
    await page.evaluate(`window.action = [...document.querySelectorAll('details.action')]
      .find((each) => each.querySelector('summary').textContent === ${JSON.stringify(name)})`);
    const button = 'action.querySelector("button")';
    expect(await page.evaluate(`${button}.checkVisibility()`)).toBe(false);
    await page.evaluate('action.querySelector("summary").click()');
    expect(await page.evaluate(`${button}.checkVisibility()`)).toBe(true);
    expect(await page.evaluate('action.querySelector("p").textContent')).toContain(question);
    expect(await page.evaluate(`${button}.textContent`)).toBe(`Yes: ${name.toLowerCase()}`);
    await page.follow(`${button}.click()`);
    expect(await page.evaluate('location.pathname')).toMatch(new RegExp(`^${next}$`));
    expect(page.complaints).toEqual([]);
  }

  async function read(path: string) {
    const { status, json } = await world.owner.get(path);
    expect(status).toBe(200);
    return json.data;
  }

  test('a delivery is sent again', async () => {
    await world.api.sql`
      update delivery set due_at = now() + interval '1 h' where delivery_id = ${world.deliveryId}`;
    await act(
      `/console/deliveries/${world.deliveryId}`,
      'Send again',
      'The receiver gets the same delivery once more',
    );
    const delivery = await read(`/webhooks/deliveries/${world.deliveryId}`);
    expect(Date.parse(delivery.next_attempt_at)).toBeLessThan(Date.now() + 60_000);
  });

  test.each(['system', 'events'] as const)(
    'a webhook for %s is disabled and enabled, and gets a test',
    async (kind) => {
      const ofSystem = `/inventory/system/${world.systemId}/webhook`;
      const [path, stateNow, received] =
        kind === 'system'
          ? ([
              `/console/webhooks/${world.systemId}/2`,
              async () => (await read(ofSystem))[0].state,
              2,
            ] as const)
          : ([
              '/console/webhooks/events',
              async () => (await read('/events/webhook')).state,
              'webhook.test',
            ] as const);
      await act(path, 'Disable', 'Its deliveries wait until it is enabled again.');
      expect(await stateNow()).toBe('disabled');
      await act(path, 'Enable', 'Its deliveries go out again');
      expect(await stateNow()).toBe('enabled');
      await act(path, 'Send a test', 'a signed test', '/console/deliveries/dlv_\\w+');
      const id = await page.evaluate<string>('location.pathname.split("/").pop()');
      expect((await read(`/webhooks/deliveries/${id}`)).type).toBe(received);
    },
  );

  test('a waiting upload is canceled', async () => {
    const uploadId = await world.rows.insert({ text: 'a menu to cancel' });
    await act(`/console/uploads/${uploadId}`, 'Cancel', 'ends without being sent');
    expect((await read(`/menus/uploads/${uploadId}`)).state).toBe('canceled');
  });

  test('a rollout is canceled, and one that has ended is taken back', async () => {
    await act(`/console/rollouts/${menus.rolloutId}`, 'Cancel', 'that have not begun end canceled');
    const { counts } = await read(`/menus/rollouts/${menus.rolloutId}`);
    expect(counts).toMatchObject({ canceled: 1, waiting: 0 });
    const { storeId, integrationId } = world.rows.key;
    const target = { store_id: storeId, integration_id: integrationId };
    const ended = await startRollout(world.owner, 5, [target]);
    await world.api.sql`
      update rollout set state = 'done', finished_at = now() where rollout_id = ${ended}`;
    await act(`/console/rollouts/${ended}`, 'Take back', 'the menu that was live before');
    expect((await read(`/menus/rollouts/${ended}`)).state).toBe('reverting');
  });

  test('a store is paused in an app and resumed', async () => {
    const path = `/console/stores/${world.rows.key.storeId}`;
    const paused = async () =>
      (await read(`/store/${world.rows.key.storeId}/integrations`))[0].paused;
    await act(path, 'Pause', 'cannot order at');
    expect(await paused()).toMatchObject({ until: null });
    await act(path, 'Resume', 'can order at');
    expect(await paused()).toBeNull();
  });

  test('an item is put back on sale', async () => {
    const path = `/menus/availability?store_id=${world.rows.key.storeId}`;
    const before = await read(path);
    expect(before).toMatchObject([{ external_id: 'I2' }]);
    await act('/console/availability', 'Put back', 'can order I2 again');
    expect(await read(path)).toEqual([]);
  });

  test('a live menu is read back', async () => {
    // App B cannot be read.
    await world.api.sql`update integration set app = 'app-a'`;
    const { storeId } = world.rows.key;
    const asked = async () =>
      (
        await world.api.sql`select check_asked from publication where store_id = ${storeId}::bigint`
      )[0];
    const before = await asked();
    await act(`/console/stores/${storeId}`, 'Read back', 'compared with what was sent');
    expect(await asked()).not.toEqual(before);
  });
});
