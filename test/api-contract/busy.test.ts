import { untilUsed } from '../support/bounds';
import { beginRequest, goOn, type SlowRequest } from '../support/slow-request';
import { ENDPOINTS } from './cells';
import { send, startWorld, type World } from './world';

const WITH_BODY = ENDPOINTS.filter(({ answers }) => answers[503]?.includes('The service is busy.'));
const LARGE = WITH_BODY.filter(({ answers }) =>
  answers[400]?.includes('The request body has too many values.'),
);
const MEGABYTE = 1_048_576;
const TEN_MEGABYTES = 10 * MEGABYTE;

let world: World;
/** They take all the memory for bodies, and never send the end of their own. */
const greedy: SlowRequest[] = [];

beforeAll(async () => {
  world = await startWorld({ BODY_MEMORY: '10MB' });
});
afterAll(() => world.stop());

const authorization = () => `Bearer ${world.owner.token}`;

function takeMemory(path: string, bytes: number): void {
  const request = beginRequest(`${world.api.url}${path}`, {
    authorization: authorization(),
    'didi-header-sign': '0'.repeat(32),
    'content-type': 'application/json',
    'content-length': bytes,
  });
  goOn(request, bytes);
  greedy.push(request);
}

function post(endpoint: string, body: string) {
  // The integration exists, and the signatures are well-formed: they are checked only after the body was read.
  const [method = '', template] = endpoint.split(' ');
  const path = template
    ?.replace('{integration_id}', '1')
    .replace('{store_id}', '1')
    .replace('{upload_id}', world.ids.uploadId)
    .replace('{delivery_id}', world.ids.deliveryId);
  return send(world.api, {
    method,
    path: path ?? '',
    headers: {
      authorization: authorization(),
      'content-type': 'application/json',
      'didi-header-sign': '0'.repeat(32),
      'rappi-signature': `t=123456,sign=${'0'.repeat(64)}`,
    },
    ...(method === 'GET' ? {} : { body }),
  });
}

describe('when the process holds its maximum of body bytes', () => {
  beforeAll(async () => {
    takeMemory('/api/v1/menus/upload', TEN_MEGABYTES);
    await untilUsed(world.api, 'body_memory', TEN_MEGABYTES);
    // Callbacks have memory of their own, of which one address has three quarters.
    for (let n = 0; n < 12; n += 1) takeMemory('/callbacks/app-c/1', MEGABYTE);
    await untilUsed(world.api, 'unknown_senders_memory', 12 * MEGABYTE);
  });
  afterAll(async () => {
    for (const { sending } of greedy) sending.destroy();
    await untilUsed(world.api, 'body_memory', 0);
    await untilUsed(world.api, 'unknown_senders_memory', 0);
  });

  test.each(WITH_BODY.map(({ endpoint }) => endpoint))('%s is busy', async (endpoint) => {
    const answer = await post(endpoint, '{}');
    expect(answer).toMatchObject({
      status: 503,
      json: { message: ['The service is busy.'], data: null },
    });
    expect(answer.headers.get('retry-after')).toBe('1');
  });
});

test.each(LARGE.map(({ endpoint }) => endpoint))('%s refuses too many values', async (endpoint) => {
  expect(await post(endpoint, `{"a":[${'0,'.repeat(500_000)}0]}`)).toMatchObject({
    status: 400,
    json: { message: ['The request body has too many values.'], data: null },
  });
});
