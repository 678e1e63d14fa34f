import { ApiError, createClient, OPERATIONS, type OperationId } from '../../clients/typescript/src';
import { ROUTES } from '../../src/run/routes';
import { startWorld, type World } from '../api-contract/world';
import { declaredParts } from '../support/declared-request';
import { operations, undescribed } from '../support/openapi-reader';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

/** Those that take something away come last: the others would miss it. */
const IDS = (Object.keys(OPERATIONS) as OperationId[]).toSorted(
  (a, b) => Number(a.startsWith('delete')) - Number(b.startsWith('delete')),
);
/** They can end a thing only once. */
const ENDS_SOMETHING = /^(delete|unlink|cancelUpload|revert)/;
/** Only a delivery app can sign it. */
const SIGNED = ['appCCallback', 'appDCallback'];

interface LooseAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

test('the client has every operation of the description, and no other', () => {
  const described = operations.map(
    ({ operation, method, path }) => `${operation.operationId}: ${method.toUpperCase()} ${path}`,
  );
  const callable = IDS.map((id) => `${id}: ${OPERATIONS[id].method} ${OPERATIONS[id].path}`);
  expect(callable.toSorted()).toEqual(described.toSorted());
});

/** Sends the example of the description, with ids that the caller has. */
async function callWithExample(id: OperationId): Promise<LooseAnswer> {
  const client = createClient({ baseUrl: world.api.url, token: world.owner.token, repeats: 0 });
  const route = ROUTES.find((each) => each.id === id);
  if (!route) throw new Error(`${id} is served by no route`);
  const ids = ENDS_SOMETHING.test(id) ? await world.spare() : world.ids;
  // An operation chosen by name at run time has no specific types.
  const { call } = client as unknown as {
    readonly call: (id: OperationId, input: object) => Promise<LooseAnswer>;
  };
  return call(id, declaredParts(route, ids)).catch((error: unknown) => {
    if (error instanceof ApiError) return error;
    throw error;
  });
}

test.each(IDS)('%s works with the example of the description, as it says', async (id) => {
  const { status, headers, body } = await callWithExample(id);
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  expect({ id, ok: status < 300, text }).toEqual({ id, ok: !SIGNED.includes(id), text });
  expect(undescribed(id, { status, headers, text, json: body })).toEqual([]);
});
