import { startWorld, type World } from '../api-contract/world';
import { endUser } from '../../src/deletions/sql/deletions';
import { PLATFORM_EVENTS } from '../../schemas/platform-events';
import type { TestCaller } from '../support/api';
import { wantEvents } from '../support/events';
import { endDelivery, RECEIVER_URL } from '../support/inventory';
import { undescribed } from '../support/openapi-reader';

let world: World;
let user: TestCaller;

beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());
beforeEach(async () => {
  user = await world.api.user();
});

const manage = (body: object) =>
  user.post('/events/webhook/manage', { url: RECEIVER_URL, ...body });
const act = (verb: string) => user.postRaw(`/events/webhook/${verb}`, '');
const MISSING = { status: 404, json: { message: ['The webhook was not found.'], data: null } };

const DEFAULTS = {
  url: RECEIVER_URL,
  events: PLATFORM_EVENTS,
  state: 'enabled',
  disabled_reason: null,
  max_in_flight: 20,
  max_per_second: null,
  header_names: [],
};

test('a user has one webhook for events, whose secret is shown when it is new; omitted fields stay', async () => {
  const first = await manage({});
  expect(first.json).toEqual({
    message: 'Success.',
    data: { ...DEFAULTS, secret: expect.stringMatching(/^whsec_/) },
  });
  expect(undescribed('manageEventsWebhook', first)).toEqual([]);
  const wanted = {
    events: ['delivery.failed', 'upload.ended', 'upload.ended'],
    max_in_flight: 3,
    max_per_second: 7,
    headers: { 'X-Api-Key': 'k' },
  };
  const set = {
    ...DEFAULTS,
    events: ['delivery.failed', 'upload.ended'],
    max_in_flight: 3,
    max_per_second: 7,
    header_names: ['X-Api-Key'],
  };
  expect((await manage(wanted)).json.data).toEqual(set);
  expect((await manage({})).json.data).toEqual(set);
  const none = { events: null, max_per_second: null, headers: null };
  expect((await manage(none)).json.data).toEqual({ ...DEFAULTS, max_in_flight: 3 });
});

test('belongs to its user alone: others, even operators, have none until they create one', async () => {
  await wantEvents(user);
  for (const other of [await world.api.user(), await world.api.user('operator')]) {
    expect(await other.get('/events/webhook')).toMatchObject(MISSING);
    for (const verb of ['enable', 'disable', 'test', 'secret/rotate']) {
      expect(await other.post(`/events/webhook/${verb}`, {})).toMatchObject(MISSING);
    }
    expect(await other.remove('/events/webhook')).toMatchObject(MISSING);
  }
});

test('can be disabled and enabled, and is shown with its health but never with its secret', async () => {
  await wantEvents(user);
  const off = await act('disable');
  expect(off.json.data).toEqual({ ...DEFAULTS, state: 'disabled', disabled_reason: 'manual' });
  expect((await act('enable')).json.data).toEqual(DEFAULTS);
  const seen = await user.get('/events/webhook');
  expect(undescribed('getEventsWebhook', seen)).toEqual([]);
  expect(seen.json.data).toEqual({
    ...DEFAULTS,
    health: expect.objectContaining({ consecutive_failures: 0, pending: 0, paused_until: null }),
  });
});

test('a rotated secret is shown once, and a retry of a request that died shows the same', async () => {
  const secret = await wantEvents(user);
  const key = { 'idempotency-key': `rotate-${user.userId}` };
  const rotate = () => user.post('/events/webhook/secret/rotate', { grace_seconds: 60 }, key);
  const first = await rotate();
  const end = first.json.data.previous_valid_until;
  expect(first.json.data).toEqual({
    secret: expect.stringMatching(/^whsec_/),
    previous_valid_until: expect.stringMatching(/Z$/),
    previous: [{ valid_until: end }],
  });
  expect(first.json.data.secret).not.toBe(secret);
  await world.api.sql`
    update idempotency_key set status = null, answer_encrypted = null, lease_until = now()
    where user_id = ${user.userId}`;
  expect((await rotate()).json).toEqual(first.json);
});

test('a test is a delivery like any other, in the list of events only', async () => {
  await wantEvents(user);
  const tested = await act('test');
  expect(undescribed('testEventsWebhook', tested)).toEqual([]);
  expect(tested.json.data).toMatchObject({
    inventory_system_id: null,
    type: 'webhook.test',
    store_id: null,
    state: 'pending',
    attempts: [],
  });
  const id = tested.json.data.delivery_id;
  const ids = async (query: string) =>
    (await user.get(`/webhooks/deliveries${query}`)).json.data.map(
      (each: { delivery_id: string }) => each.delivery_id,
    );
  expect(await ids('')).toEqual([]);
  expect(await ids('?events=false')).toEqual([]);
  expect(await ids('?events=true')).toEqual([id]);
  expect(await ids('?events=true&type=webhook.test&state=pending')).toEqual([id]);
  expect(await ids('?events=true&type=upload.ended')).toEqual([]);
  expect(await ids(`?events=true&inventory_system_id=${world.systemId}`)).toEqual([]);
  expect(await user.get('/webhooks/deliveries?events=true&type=2')).toMatchObject({
    status: 422,
    json: { type: ['The selected type is invalid.'] },
  });
  expect(await (await world.api.user()).get(`/webhooks/deliveries/${id}`)).toMatchObject({
    status: 404,
  });
});

test('events can be resent, singly or by filter, separately from messages to systems', async () => {
  await wantEvents(user);
  const id = (await act('test')).json.data.delivery_id;
  await endDelivery(world.api.sql, id, { state: 'exhausted' });
  const count = async (body: object) =>
    (await user.post('/webhooks/deliveries/resend', { dry_run: true, ...body })).json.data.count;
  expect(await count({})).toBe(0);
  expect(await count({ events: true, type: 'upload.ended' })).toBe(0);
  expect(await count({ events: true, type: 'webhook.test', state: 'exhausted' })).toBe(1);
  const all = await user.post('/webhooks/deliveries/resend', { events: true });
  expect([all.status, all.json.data]).toEqual([202, { count: 1 }]);
  expect((await user.get(`/webhooks/deliveries/${id}`)).json.data.state).toBe('pending');
  expect((await user.post(`/webhooks/deliveries/${id}/resend`, {})).status).toBe(202);
});

test('events for a user who is not active are not resent, and not counted', async () => {
  const operator = await world.api.user('operator');
  for (const state of ['deactivated', 'deleted'] as const) {
    const ended = await world.api.user();
    await wantEvents(ended);
    const { json } = await ended.postRaw('/events/webhook/test', '');
    const id = json.data.delivery_id;
    await endDelivery(world.api.sql, id, { state: 'exhausted' });
    const counts = async () => {
      const filter = { events: true, type: 'webhook.test', state: 'exhausted' };
      const counted = await operator.post('/webhooks/deliveries/resend', {
        ...filter,
        dry_run: true,
      });
      return counted.json.data.count;
    };
    const before = await counts();
    await endUser(world.api.sql, ended.userId, state);
    expect(await counts()).toBe(before - 1);
    const resent = await operator.post(`/webhooks/deliveries/${id}/resend`, {});
    expect(resent).toMatchObject(MISSING);
    expect(undescribed('resendDelivery', resent)).toEqual([]);
    expect((await operator.get(`/webhooks/deliveries/${id}`)).json.data.state).toBe('exhausted');
  }
});

test('when deleted it discards what waits, and when created again it has a new secret and default settings', async () => {
  const secret = await wantEvents(user, { events: ['upload.ended'] });
  const id = (await act('test')).json.data.delivery_id;
  expect((await user.remove('/events/webhook')).json).toEqual({ message: 'Success.', data: null });
  expect(await user.remove('/events/webhook')).toMatchObject(MISSING);
  expect((await user.get(`/webhooks/deliveries/${id}`)).json.data.state).toBe('discarded');
  const again = await manage({});
  expect(again.json.data).toEqual({ ...DEFAULTS, secret: expect.stringMatching(/^whsec_/) });
  expect(again.json.data.secret).not.toBe(secret);
});
