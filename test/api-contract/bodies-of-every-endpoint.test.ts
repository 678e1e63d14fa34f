import { gzipSync } from 'node:zlib';
import { ENDPOINTS } from './cells';
import { send, startWorld, type World } from './world';

let world: World;

beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const WITH_BODY = ENDPOINTS.filter((each) => 415 in each.answers).map(({ endpoint }) => endpoint);

function refusal(status: number, sentence: string) {
  return { status, json: { message: [sentence], data: null } };
}

describe.each(WITH_BODY)('%s', (endpoint) => {
  const post = (body: string | Buffer, headers: Record<string, string> = {}) => {
    const { method, path } = world.request(endpoint);
    const authorization = `Bearer ${world.owner.token}`;
    const type = 'application/json';
    return send(world.api, {
      method,
      path,
      headers: { authorization, 'content-type': type, ...headers },
      body,
    });
  };

  test.each(['text/plain', 'text/json', 'application/jsonp', 'application/x-www-form-urlencoded'])(
    'refuses the content type %s, however large the body',
    async (type) => {
      expect(await post('x'.repeat(300_000), { 'content-type': type })).toMatchObject(
        refusal(415, 'The content type must be application/json.'),
      );
    },
  );

  test('refuses a content encoding other than gzip', async () => {
    expect(await post('{}', { 'content-encoding': 'br' })).toMatchObject(
      refusal(415, 'The content encoding must be gzip or none.'),
    );
  });

  test('refuses a body over its size, before and after decoding', async () => {
    const isLarge = /menus\/(?:upload|changes|preview|rollouts)|inventory\/items/.test(endpoint);
    const maximum = isLarge ? 10 * 1_048_576 : 256 * 1024;
    const tooLarge = refusal(413, 'The request body is too large.');
    // Not even JSON, because the size is checked first.
    expect(await post('x'.repeat(maximum + 1))).toMatchObject(tooLarge);
    const zipped = gzipSync(Buffer.alloc(maximum + 1, 32));
    expect(await post(zipped, { 'content-encoding': 'gzip' })).toMatchObject(tooLarge);
    expect((await post(`${' '.repeat(maximum - 2)}{}`)).status).not.toBe(413);
  });

  test.each([
    ['', 'The request body is empty.'],
    [' \n', 'The request body is empty.'],
    ['\uFEFF', 'The request body is empty.'],
    ['{', 'The request body is not valid JSON.'],
    ["{'a':1}", 'The request body is not valid JSON.'],
    ['[]', 'The request body must be an object.'],
    ['null', 'The request body must be an object.'],
    ['"{}"', 'The request body must be an object.'],
    [Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]), 'The request body is not valid UTF-8.'],
    [Buffer.from([0xed, 0xa0, 0x80]), 'The request body is not valid UTF-8.'],
    [`{"a":${'['.repeat(64)}${']'.repeat(64)}}`, 'The request body is nested too deeply.'],
    [String.raw`{"a":"\u0000"}`, 'The request body contains characters that are not allowed.'],
    [String.raw`{"\ud83d":1}`, 'The request body contains characters that are not allowed.'],
    [
      String.raw`{"a":"\udf54\ud83c"}`,
      'The request body contains characters that are not allowed.',
    ],
    [String.raw`{"a":"\ud83c \n"}`, 'The request body contains characters that are not allowed.'],
  ])('refuses %j', async (body, sentence) => {
    expect(await post(body)).toMatchObject(refusal(400, sentence));
  });

  test('refuses a body that claims to be gzip but is not', async () => {
    expect(await post('{}', { 'content-encoding': 'gzip' })).toMatchObject(
      refusal(400, 'The request body is not valid gzip.'),
    );
  });

  test('takes gzip, a byte order mark, and a type with parameters', async () => {
    const { body } = world.request(endpoint);
    const answer = await post(gzipSync(`\uFEFF${JSON.stringify(body)}`), {
      'content-encoding': 'gzip',
      'content-type': 'Application/JSON; charset=utf-8',
    });
    expect(answer.status).toBeLessThan(300);
  });
});
