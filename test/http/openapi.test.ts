import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type Router from '@koa/router';
import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { type AppDeps, createApp } from '../../src/http/app';
import { createLog } from '../../src/log';
import { createOpenApiDocument } from '../../src/openapi/document';
import { FORMATS } from '../../src/validation/formats';
import { startTestApi, type TestAnswer, type TestApi, type TestCaller } from '../support/api';

interface Response {
  readonly $ref?: string;
  readonly content?: Record<string, { schema: object; examples?: Record<string, Example> }>;
}
interface Example {
  readonly value: unknown;
}
interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly { $ref?: string; name?: string; in?: string }[];
  readonly requestBody?: { content: Record<string, { schema: object; example: unknown }> };
  readonly responses: Record<string, Response>;
  readonly security: readonly Record<string, unknown>[];
}

const document = createOpenApiDocument();
const paths = document.paths as unknown as Record<string, Record<string, Operation>>;
const operations = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats(ajv);
for (const [name, check] of Object.entries(FORMATS)) ajv.addFormat(name, check);
ajv.addSchema({ $id: 'api:/', ...document });

/** What is wrong with a value, by a schema that may refer to the document; empty when nothing is. */
function problems(schema: object, value: unknown): string {
  const validate = ajv.compile(absolute(schema));
  return validate(value) ? '' : ajv.errorsText(validate.errors);
}

function absolute(schema: object): object {
  const text = JSON.stringify(schema);
  return JSON.parse(text.replaceAll('"$ref":"#/', '"$ref":"api:/#/')) as object;
}

function lookUp(reference: string): unknown {
  return reference
    .split('/')
    .slice(1)
    .reduce<unknown>(
      (part, key) => (part as Record<string, unknown> | undefined)?.[key.replaceAll('~1', '/')],
      document,
    );
}

function follow<T extends { $ref?: string }>(value: T): T {
  return value.$ref === undefined ? value : (lookUp(value.$ref) as T);
}

/** Method and path of every route, as the document writes them; nothing is called, so nothing needs to be there. */
function registeredRoutes(): string[] {
  const settings = { RATE_LIMIT_PER_SECOND: 1, METRICS_PORT: 0 };
  const deps = { log: createLog('silent'), settings } as unknown as AppDeps;
  const stacks = createApp(deps).middleware.flatMap((each) => {
    const { router } = each as { router?: Router };
    return router?.stack ?? [];
  });
  return stacks.flatMap(({ methods, path }) =>
    methods
      .filter((method) => method !== 'HEAD')
      .map((method) => `${method} ${String(path).replaceAll(/:(\w+)/g, '{$1}')}`),
  );
}

test('every route is described, and nothing that is not a route', () => {
  const described = operations.map(({ path, method }) => `${method.toUpperCase()} ${path}`);
  // Parts of the page are no interface.
  const routes = registeredRoutes().filter((route) => !route.startsWith('GET /docs/'));
  expect(described.toSorted()).toEqual(routes.toSorted());
});

test('every reference leads somewhere', () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(
    ([, reference = '']) => reference,
  );
  expect(references.length).toBeGreaterThan(100);
  expect(references.filter((reference) => lookUp(reference) === undefined)).toEqual([]);
});

test('every component is referred to', () => {
  const text = JSON.stringify(document);
  const { securitySchemes: _, ...components } = document.components;
  const names = Object.entries(components).flatMap(([kind, parts]) =>
    Object.keys(parts).map((name) => `#/components/${kind}/${name}`),
  );
  expect(names.filter((name) => !text.includes(`"${name}"`))).toEqual([]);
});

test('operations have names of their own', () => {
  const ids = operations.map(({ operation }) => operation.operationId);
  expect(new Set(ids).size).toBe(ids.length);
});

test('every schema is a valid one', () => {
  for (const name of Object.keys(document.components.schemas)) {
    expect(() => ajv.compile({ $ref: `api:/#/components/schemas/${name}` })).not.toThrow();
  }
});

test('nothing of the private keywords of the checks is shown', () => {
  expect(JSON.stringify(document)).not.toContain('x-refusal');
});

test('parameters in a path are those of the path', () => {
  for (const { path, operation } of operations) {
    const named = (operation.parameters ?? []).map(follow).filter((each) => each.in === 'path');
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect(named.map((each) => each.name)).toEqual(inPath);
  }
});

const bodies = operations.flatMap(({ operation }) => {
  const body = operation.requestBody?.content['application/json'];
  return body ? [{ id: operation.operationId, ...body }] : [];
});

test.each(bodies)('the example body of $id is one that its schema takes', ({ schema, example }) => {
  expect(problems(schema, example)).toBe('');
});

const examples = operations.flatMap(({ operation }) =>
  Object.entries(operation.responses).flatMap(([status, response]) =>
    Object.values(follow(response).content ?? {}).flatMap(({ schema, examples: given = {} }) =>
      Object.values(given).map(({ value }) => ({
        answer: `${operation.operationId} ${status}`,
        schema,
        value,
      })),
    ),
  ),
);

test('every example of an answer is one that its schema takes', () => {
  const wrong = examples
    .map(({ answer, schema, value }) => ({ answer, problem: problems(schema, value) }))
    .filter(({ problem }) => problem !== '');
  expect(wrong).toEqual([]);
  expect(examples.length).toBeGreaterThan(100);
});

test('the schema of a menu takes every menu that the rules take', () => {
  const folder = join(__dirname, '..', 'contract', 'golden', 'input');
  const names = ['smallest', 'nested-groups', 'promotions', 'absent-optionals', 'two-menus'];
  for (const name of names) {
    const { menu } = JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as {
      menu: object;
    };
    const upload = { store_id: 1, integration_id: '1', ...menu };
    expect(problems({ $ref: '#/components/schemas/MenuUpload' }, upload)).toBe('');
  }
});

describe('what the API really answers', () => {
  let api: TestApi;
  let caller: TestCaller;

  beforeAll(async () => {
    api = await startTestApi({ UPLOAD_WAIT: '1s', ACK_WAIT: '1s' });
    caller = await api.user('inventory:create', 'pos:events');
  });
  afterAll(() => api.stop());

  function expectDescribed(operationId: string, answer: TestAnswer): void {
    const found = operations.find(({ operation }) => operation.operationId === operationId);
    const response = found?.operation.responses[String(answer.status)];
    const described = response && follow(response);
    const [mediaType = ''] = (answer.headers.get('content-type') ?? '').split(';');
    const content = described?.content?.[mediaType];
    expect([answer.status, mediaType, content === undefined]).toEqual([
      answer.status,
      mediaType,
      false,
    ]);
    expect(problems(content?.schema ?? {}, answer.json ?? answer.text)).toBe('');
  }

  test('is described: a store, a system, a webhook, events and deliveries', async () => {
    const { example } = bodies.find(({ id }) => id === 'createStore') ?? {};
    const store = await caller.post('/store', example);
    expectDescribed('createStore', store);
    expectDescribed('createStore', await caller.post('/store', example));
    expectDescribed('createStore', await caller.post('/store', {}));
    expectDescribed(
      'createStore',
      await caller.post('/store', {}, { accept: 'application/problem+json' }),
    );
    const system = await caller.post('/inventory/system/create', { name: 'Described' });
    expectDescribed('createInventorySystem', system);
    const systemId = system.json.data.inventory_system_id as string;
    const storeId = store.json.data.id as number;
    const select = { type: 2, inventory_system_id: systemId };
    const verbs = {
      manage: 'manageWebhook',
      test: 'testWebhook',
      disable: 'disableWebhook',
      enable: 'enableWebhook',
      'secret/rotate': 'rotateWebhookSecret',
    };
    for (const [verb, id] of Object.entries(verbs)) {
      const body = { ...select, ...(verb === 'manage' ? { url: 'http://127.0.0.1:9/' } : {}) };
      expectDescribed(id, await caller.post(`/inventory/system/webhook/${verb}`, body));
    }
    const link = { ...select, store_id: storeId, external_store_id: 'S-1' };
    expectDescribed('linkStore', await caller.post('/inventory/system/store/link', link));
    const stock = bodies.find(({ id }) => id === 'sendStockMovement')?.example;
    const path = `/pos/store/${storeId}/inventory`;
    expectDescribed('sendStockMovement', await caller.post(`${path}/stock`, stock));
    expectDescribed('listDeliveries', await caller.get('/webhooks/deliveries'));
    const list = await caller.get('/webhooks/deliveries?limit=1');
    const deliveryId = list.json.data[0].delivery_id as string;
    expectDescribed('getDelivery', await caller.get(`/webhooks/deliveries/${deliveryId}`));
    expectDescribed(
      'resendDelivery',
      await caller.post(`/webhooks/deliveries/${deliveryId}/resend`, {}),
    );
    expectDescribed(
      'resendDeliveries',
      await caller.post('/webhooks/deliveries/resend', { dry_run: true }),
    );
  });

  test('is described: uploads, refusals and health', async () => {
    const upload = bodies.find(({ id }) => id === 'uploadMenu')?.example;
    expectDescribed('uploadMenu', await caller.post('/menus/upload', upload));
    expectDescribed('listUploads', await caller.get('/menus/uploads'));
    expectDescribed('listUploads', await caller.get('/menus/uploads?limit=0'));
    expectDescribed('getUpload', await caller.get('/menus/uploads/upl_0'));
    expectDescribed('getUpload', await caller.get('/menus/uploads/x', { authorization: '' }));
    for (const [id, path] of [
      ['live', '/health/live'],
      ['ready', '/health/ready'],
      ['metrics', '/metrics'],
      ['openapi', '/openapi.json'],
      ['docs', '/docs'],
    ] as const) {
      const response = await fetch(`${api.url}${path}`);
      const text = await response.text();
      const { status, headers } = response;
      expectDescribed(id, { status, headers, text, json: asJson(text) });
    }
  });

  test('the document is served as it is made, and not sent twice to who has it', async () => {
    const first = await fetch(`${api.url}/openapi.json`);
    expect(await first.json()).toEqual(JSON.parse(JSON.stringify(document)));
    const again = await fetch(`${api.url}/openapi.json`, {
      headers: { 'if-none-match': first.headers.get('etag') ?? '' },
    });
    expect(again.status).toBe(304);
  });
});

function asJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
