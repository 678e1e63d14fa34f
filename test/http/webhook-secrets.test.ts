import type { SubscriptionId } from '../../src/platform/ids';
import { createConfiguredSecretBox } from '../../src/run/configured-secrets';
import { subscriptionSecretContext } from '../../src/webhooks/sql/subscriptions';
import { isSecret } from '../../src/platform/crypto/signing';
import { startTestApi, type TestApi, type TestCaller } from '../support/api';
import { createSystem, manageWebhook, postWebhook, RECEIVER_URL } from '../support/inventory';

let api: TestApi;
let owner: TestCaller;
let systemId: string;

beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.stop());

let made = 0;
beforeEach(async () => {
  owner = await api.user('inventory:create');
  systemId = await createSystem(owner, `System ${(made += 1)}`);
});

async function crashBeforeAnswer(): Promise<void> {
  await api.sql`
    update idempotency_key set status = null, answer_encrypted = null, lease_until = now()
    where user_id = ${owner.userId}`;
}

test('a new webhook shows its secret, and only then', async () => {
  const first = await postWebhook({ owner, systemId }, 'manage', { type: '2', url: RECEIVER_URL });
  expect(first).toMatchObject({
    status: 200,
    json: {
      message: 'Success.',
      data: { type: 2, inventory_system_id: systemId, url: RECEIVER_URL, state: 'enabled' },
    },
  });
  expect(isSecret(first.json.data.secret)).toBe(true);
  const changed = await postWebhook({ owner, systemId }, 'manage', { url: `${RECEIVER_URL}/new` });
  expect(changed.json.data).toEqual({
    type: 2,
    inventory_system_id: systemId,
    url: `${RECEIVER_URL}/new`,
    state: 'enabled',
    max_in_flight: 20,
    max_per_second: null,
    header_names: [],
  });
});

test('a retry after a crash shows the secret of the webhook that its first try created', async () => {
  const key = { 'idempotency-key': 'manage-1' };
  const first = await postWebhook({ owner, systemId }, 'manage', { url: RECEIVER_URL }, key);
  await crashBeforeAnswer();
  const again = await postWebhook({ owner, systemId }, 'manage', { url: RECEIVER_URL }, key);
  expect(again.json).toEqual(first.json);
});

test('secrets are not in the database in the clear', async () => {
  const secret = await manageWebhook(owner, systemId, 1);
  const dump = await api.sql`select s::text as row from subscription s`;
  expect(JSON.stringify(dump)).not.toContain(secret.slice(6, 20));
  const hex = Buffer.from(secret.slice(6), 'base64').toString('hex');
  expect(JSON.stringify(dump)).not.toContain(hex);
});

test('a rotated secret is shown, and the previous one signs until its grace ends', async () => {
  const old = await manageWebhook(owner, systemId, 2);
  const before = Date.now();
  const { status, json } = await postWebhook({ owner, systemId }, 'secret/rotate', {
    grace_seconds: 60,
  });
  expect(status).toBe(200);
  expect(isSecret(json.data.secret)).toBe(true);
  expect(json.data.secret).not.toBe(old);
  const until = Date.parse(json.data.previous_valid_until) - before;
  expect(until).toBeGreaterThan(55_000);
  expect(until).toBeLessThan(65_000);
});

test('the grace is a day by default, and 0 ends it at once', async () => {
  await manageWebhook(owner, systemId, 2);
  const { json } = await postWebhook({ owner, systemId }, 'secret/rotate');
  const hours = (Date.parse(json.data.previous_valid_until) - Date.now()) / 3_600_000;
  expect(Math.round(hours)).toBe(24);
  expect(
    (await postWebhook({ owner, systemId }, 'secret/rotate', { grace_seconds: 0 })).json.data
      .previous_valid_until,
  ).toBe(null);
  expect(
    await postWebhook({ owner, systemId }, 'secret/rotate', { grace_seconds: 604_801 }),
  ).toMatchObject({
    status: 422,
    json: { grace_seconds: ['The selected grace seconds is invalid.'] },
  });
});

/** The secrets that would sign now, newest first. */
async function signing(): Promise<readonly string[]> {
  const box = createConfiguredSecretBox(api.config);
  const rows = await api.sql<{ subscriptionId: SubscriptionId; sealed: Buffer }[]>`
    select s.subscription_id, secrets.sealed from subscription s cross join lateral (
      select s.secret_encrypted as sealed, now() as replaced_at
      union all
      select e.secret_encrypted, e.replaced_at from earlier_secret e
      where e.subscription_id = s.subscription_id and e.valid_until > now()) as secrets
    where s.inventory_system_id = ${systemId}::uuid and s.type = 2
    order by secrets.replaced_at desc`;
  return rows.map(({ subscriptionId, sealed }) =>
    box.decrypt(sealed, subscriptionSecretContext(subscriptionId)),
  );
}

const rotate = (graceSeconds?: number) =>
  postWebhook({ owner, systemId }, 'secret/rotate', { grace_seconds: graceSeconds });

test('a second rotation leaves the first secret its own grace: what a receiver was promised holds', async () => {
  const first = await manageWebhook(owner, systemId, 2);
  const second = await rotate();
  const third = await rotate(60);
  expect(new Set(await signing())).toEqual(
    new Set([third.json.data.secret, second.json.data.secret, first]),
  );
  const ends = third.json.data.previous.map((each: { valid_until: string }) =>
    Math.round((Date.parse(each.valid_until) - Date.now()) / 60_000),
  );
  expect(ends).toEqual([1, 24 * 60]);
  expect(third.json.data.previous_valid_until).toBe(third.json.data.previous[0].valid_until);
});

test('four earlier secrets sign at most; a grace of 0 ends all of them', async () => {
  const secrets = [await manageWebhook(owner, systemId, 2)];
  for (let n = 0; n < 5; n += 1) secrets.push((await rotate()).json.data.secret as string);
  expect((await signing()).toSorted()).toEqual(secrets.slice(1).toSorted());
  const last = await rotate(0);
  expect(last.json.data).toMatchObject({ previous: [], previous_valid_until: null });
  expect(await signing()).toEqual([last.json.data.secret]);
});

test('rotations at the same time each answer their own secret, and all of them sign', async () => {
  const first = await manageWebhook(owner, systemId, 2);
  const answers = await Promise.all([rotate(), rotate(), rotate(), rotate()]);
  const told = answers.map((answer) => answer.json.data.secret as string);
  expect(new Set(told).size).toBe(4);
  expect((await signing()).toSorted()).toEqual([first, ...told].toSorted());
});

test('a retry after a crash answers the secret that its first try made, although another one was made since', async () => {
  await manageWebhook(owner, systemId, 2);
  const key = { 'idempotency-key': 'rotate-2' };
  const first = await postWebhook({ owner, systemId }, 'secret/rotate', {}, key);
  const other = await rotate();
  await crashBeforeAnswer();
  const again = await postWebhook({ owner, systemId }, 'secret/rotate', {}, key);
  expect(again.json.data.secret).toBe(first.json.data.secret);
  expect(other.json.data.secret).not.toBe(first.json.data.secret);
});

test('a webhook that is made again after its deletion does not sign with earlier secrets', async () => {
  await manageWebhook(owner, systemId, 2);
  await rotate();
  await owner.remove(`/inventory/system/${systemId}/webhook/2`);
  const anew = await manageWebhook(owner, systemId, 2);
  expect(await signing()).toEqual([anew]);
});

test('a retry of a rotation after a crash does not rotate once more', async () => {
  await manageWebhook(owner, systemId, 2);
  const key = { 'idempotency-key': 'rotate-1' };
  const first = await postWebhook({ owner, systemId }, 'secret/rotate', {}, key);
  await crashBeforeAnswer();
  expect((await postWebhook({ owner, systemId }, 'secret/rotate', {}, key)).json).toEqual(
    first.json,
  );
});
