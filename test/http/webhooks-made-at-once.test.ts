import { createConfiguredSecretBox } from '../../src/run/configured-secrets';
import { subscriptionHeadersContext } from '../../src/webhooks/sql/subscriptions';
import { startTestApi, type TestAnswer, type TestApi, type TestCaller } from '../support/api';
import { createSystem, postWebhook, RECEIVER_URL } from '../support/inventory';
import { countLockWaits } from '../support/lock-waits';
import { until } from '../support/until';

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

const isReplay = ({ headers }: TestAnswer) => headers.get('idempotency-replayed') === 'true';

const manage = (name: string, headers: Record<string, string> = {}) =>
  postWebhook(
    { owner, systemId },
    'manage',
    { url: RECEIVER_URL, headers: { [name]: 'x' } },
    headers,
  );

/** Sends all at once, and lets none write before all have looked for the webhook. */
async function atOnce(requests: readonly (() => Promise<TestAnswer>)[]): Promise<TestAnswer[]> {
  const { answers } = await api.sql.begin(async (tx) => {
    await tx`lock table subscription in exclusive mode`;
    const sent = requests.map((send) => send());
    await until(async () => (await countLockWaits(api.sql)) === requests.length);
    return { answers: sent };
  });
  return Promise.all(answers);
}

async function storedHeaders(): Promise<unknown> {
  const [row] = await api.sql<{ subscriptionId: string; headersEncrypted: Buffer }[]>`
    select subscription_id, headers_encrypted from subscription
    where inventory_system_id = ${systemId}::uuid`;
  if (!row) throw new Error('there is no webhook');
  const secrets = createConfiguredSecretBox(api.config);
  const context = subscriptionHeadersContext(row.subscriptionId);
  return JSON.parse(secrets.decrypt(row.headersEncrypted, context));
}

test.each([
  ['with keys of their own', ['key-a', 'key-b']],
  ['without keys', []],
])('two first requests at once both succeed, %s', async (_, keys) => {
  const sent = ['X-A', 'X-B'].map((name, at) => () => {
    const key = keys[at];
    return manage(name, key === undefined ? {} : { 'idempotency-key': key });
  });
  const answers = await atOnce(sent);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  const changing = answers.filter(({ json }) => json.data.secret === undefined);
  expect(changing).toHaveLength(1);
  // The one that came second changed what the first had made.
  const names = changing.flatMap(({ json }) => json.data.header_names as string[]);
  expect(await storedHeaders()).toEqual({ [String(names)]: 'x' });
  if (keys.length === 0) return;
  const again = await Promise.all(sent.map((send) => send()));
  expect(again.map((each) => [each.text, isReplay(each)])).toEqual(
    answers.map(({ text }) => [text, true]),
  );
});

test('that a request is still in progress is not stored', async () => {
  const key = { 'idempotency-key': 'gone' };
  expect((await manage('X-A', key)).status).toBe(200);
  // As if the process had died before it stored the answer, and the webhook had been deleted since then.
  await api.sql`
    update idempotency_key set status = null, answer_encrypted = null, lease_until = now()
    where key = 'gone'`;
  expect((await owner.remove(`/inventory/system/${systemId}/webhook/2`)).status).toBe(200);
  for (const attempt of [1, 2]) {
    const answer = await manage('X-A', key);
    expect([attempt, answer.status, isReplay(answer)]).toEqual([attempt, 409, false]);
    expect(answer.headers.get('retry-after')).toBe('1');
  }
  expect((await manage('X-A')).status).toBe(200);
  expect((await manage('X-A', key)).status).toBe(200);
});
