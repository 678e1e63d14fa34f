import fc from 'fast-check';
import { ENDPOINTS } from './cells';
import { send, startWorld, type World } from './world';

let world: World;

beforeAll(async () => {
  world = await startWorld({ ACK_WAIT: '1ms', UPLOAD_WAIT: '1ms' });
});
afterAll(() => world.stop());

const WRITES = ENDPOINTS.filter(({ endpoint }) => /^(?:POST|PATCH) \/api\/v1\//.test(endpoint)).map(
  ({ endpoint }) => endpoint,
);

/** Values that a careless check would accept, among ordinary ones. */
const value = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom('__proto__', 'NaN', '1e999', '\u202E', '9'.repeat(300), -0, 1e21, 2 ** 53),
);

/** A right body in which some fields are something else, or no body of ours at all. */
function anyBody(right: object): fc.Arbitrary<string> {
  const fields = fc.constantFrom(...Object.keys(right), '__proto__', 'constructor');
  const changed = fc
    .dictionary(fields, value, { maxKeys: 3 })
    .map((changes) =>
      JSON.stringify(Object.fromEntries([...Object.entries(right), ...Object.entries(changes)])),
    );
  return fc.oneof({ weight: 4, arbitrary: changed }, fc.json(), fc.string({ unit: 'binary' }));
}

/*
 * Every answer must have the general form, and after the whole run each message is looked up in the table: so this
 * also detects answers that no test expects.
 */
test.each(WRITES)('%s answers any body as the contract says', async (endpoint) => {
  const { method, path, body = {} } = world.request(endpoint);
  const accept = fc.constantFrom('*/*', 'application/problem+json');
  await fc.assert(
    fc.asyncProperty(anyBody(body), accept, async (text, accepted) => {
      const answer = await send(world.api, {
        method,
        path,
        headers: {
          authorization: `Bearer ${world.owner.token}`,
          'content-type': 'application/json',
          accept: accepted,
          prefer: 'respond-async',
        },
        body: text,
      });
      expect(answer.status).toBeLessThan(500);
    }),
    { numRuns: 30 },
  );
});
