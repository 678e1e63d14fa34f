import { readFileSync } from 'node:fs';
import { collectionText, COLLECTION } from '../../dev/docs/write-collection';
import { send, startWorld, type World, type WorldIds } from '../api-contract/world';
import { RECEIVER_URL } from '../support/inventory';
import { operations, undescribed } from '../support/openapi-reader';

interface Request {
  readonly method: string;
  readonly auth?: { readonly type: string };
  readonly header: readonly { readonly key: string; readonly value: string }[];
  readonly url: { readonly raw: string };
  readonly body?: { readonly raw: string };
}
interface Collection {
  readonly variable: readonly { readonly key: string; readonly value: string }[];
  readonly item: readonly {
    readonly item: readonly { readonly name: string; readonly request: Request }[];
  }[];
}

/** Receivers in the examples, which no test is to look up. */
const ANYWHERE = /https:\/\/(stock|platform)\.example\/\w+/g;

const text = readFileSync(COLLECTION, 'utf8');
const collection = JSON.parse(text) as Collection;
/** Those that take something away come last: the others would miss it. */
const requests = collection.item
  .flatMap(({ item }) => item)
  .toSorted(
    (a, b) => Number(a.request.method === 'DELETE') - Number(b.request.method === 'DELETE'),
  );

const idByEndpoint = new Map(
  operations.map(({ method, path, operation }) => [
    `${method.toUpperCase()} ${path}`,
    operation.operationId,
  ]),
);

/** As the description writes it. */
function endpointOf({ method, url }: Request): string {
  const [path = ''] = url.raw.replace('{{baseUrl}}', '').split('?');
  return `${method} ${path.replaceAll('{{', '{').replaceAll('}}', '}')}`;
}

test('the collection matches the description (update it with npm run clients)', () => {
  expect(text).toBe(collectionText());
});

test('every operation but those of delivery apps is in it, under its own sentence', () => {
  const described = [...idByEndpoint.keys()].filter((each) => !each.includes('/callbacks/'));
  const collected = requests.map(({ request }) => endpointOf(request));
  expect(collected.toSorted()).toEqual(described.toSorted());
  expect(new Set(requests.map(({ name }) => name)).size).toBe(requests.length);
});

describe('sent as it is, with the variables of somebody who has one of everything:', () => {
  let world: World;

  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.stop());

  function valuesOf(ids: WorldIds): Readonly<Record<string, string | number>> {
    return {
      ...Object.fromEntries(collection.variable.map(({ key, value }) => [key, value])),
      baseUrl: '',
      token: world.owner.token,
      store_id: ids.storeId,
      integration_id: ids.integrationId,
      inventory_system_id: ids.systemId,
      upload_id: ids.uploadId,
      rollout_id: ids.rolloutId,
      delivery_id: ids.deliveryId,
      change_id: ids.changeId,
    };
  }

  const fill = (given: string, values: ReturnType<typeof valuesOf>): string =>
    given.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => {
      if (values[name] === undefined) throw new Error(`the collection has no variable ${name}`);
      return String(values[name]);
    });

  test.each(requests)('$name', async ({ request }) => {
    const { method, url, header, auth, body } = request;
    const values = valuesOf(method === 'DELETE' ? await world.spare() : world.ids);
    const path = fill(url.raw, values);
    const answer = await send(world.api, {
      method,
      path,
      headers: {
        ...(auth === undefined ? { authorization: `Bearer ${world.owner.token}` } : {}),
        ...Object.fromEntries(header.map(({ key, value }) => [key, value])),
      },
      ...(body === undefined
        ? {}
        : { body: fill(body.raw, values).replaceAll(ANYWHERE, RECEIVER_URL) }),
    });
    // Existing things, and those removed by an earlier request, are refused by a rule: 404 and 409. The form is
    // always right.
    expect([answer.text, [200, 201, 202, 404, 409].includes(answer.status)]).toEqual([
      answer.text,
      true,
    ]);
    expect(undescribed(idByEndpoint.get(endpointOf(request)) ?? '', answer)).toEqual([]);
  });
});
