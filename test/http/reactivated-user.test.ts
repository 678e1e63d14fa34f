import { discardWaiting } from '../../src/webhooks/sql/discards';
import { adminCommand } from '../support/admin-command';
import { startTestApi, type TestApi, type TestCaller } from '../support/api';
import { wantEvents } from '../support/events';
import { until } from '../support/until';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.stop());

const command = (verb: string, userId: string) =>
  adminCommand(api.config.DATABASE_URL, ['user', verb, '--user', userId]);

async function activate({ userId }: TestCaller): Promise<unknown> {
  const { status, out, err } = await command('activate', userId);
  expect([status, err]).toEqual([0, '']);
  return JSON.parse(out) as unknown;
}

test('a deactivated user who is activated has the old tokens, and the webhook as it was', async () => {
  const user = await api.user('pos:events');
  const shown = { user_id: user.userId, name: 'A user', permissions: ['pos:events'] };
  await command('deactivate', user.userId);
  expect(await activate(user)).toEqual({ ...shown, events_webhook: null });

  await wantEvents(user);
  const waiting = (await user.postRaw('/events/webhook/test', '')).json.data.delivery_id;
  await command('deactivate', user.userId);
  expect(await activate(user)).toEqual({ ...shown, events_webhook: 'enabled' });
  await until(async () => (await user.get('/me')).status === 200);
  const webhook = await user.get('/events/webhook');
  expect(webhook.json.data).toMatchObject({ state: 'enabled', disabled_reason: null });
  // What waited at the deactivation does not go out after all.
  await discardWaiting(api.sql);
  const delivery = await user.get(`/webhooks/deliveries/${waiting}`);
  expect(delivery.json.data.state).toBe('discarded');
  // One that the user had disabled stays so.
  await user.postRaw('/events/webhook/disable', '');
  await command('deactivate', user.userId);
  expect(await activate(user)).toEqual({ ...shown, events_webhook: 'disabled' });
});

test('a deleted user cannot be activated, nor one that there never was', async () => {
  const { userId } = await api.user();
  await command('delete', userId);
  expect(await command('activate', userId)).toMatchObject({
    status: 1,
    err: `The user ${userId} was deleted.\n`,
  });
  expect(await command('activate', 'usr_nobody')).toMatchObject({
    status: 1,
    err: 'The user usr_nobody does not exist.\n',
  });
});
