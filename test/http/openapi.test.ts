import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROUTES } from '../../src/run/routes';
import { wholeSecond } from '../../src/platform/whole-second';
import {
  itemDataPayload,
  renderBody,
  stockPayload,
  testEventPayload,
} from '../../src/webhooks/payload';
import {
  ajv,
  bodies,
  document,
  follow,
  lookUp,
  operations,
  problems,
  schemasIn,
  sentMessages,
  wrongMessage,
} from '../support/openapi-reader';

test('every declared route is described, and nothing else', () => {
  const described = operations.map(({ path, method }) => `${method} ${path}`);
  // Parts of the page are no interface.
  const declared = ROUTES.filter(({ group }) => group !== null);
  expect(described.toSorted()).toEqual(
    declared.map(({ method, path }) => `${method} ${path}`).toSorted(),
  );
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

test('operations have unique names', () => {
  const ids = operations.map(({ operation }) => operation.operationId);
  expect(new Set(ids).size).toBe(ids.length);
});

test('every schema is a valid one', () => {
  for (const name of Object.keys(document.components.schemas)) {
    expect(() => ajv.compile({ $ref: `api:/#/components/schemas/${name}` })).not.toThrow();
  }
});

test('an answer that something was begun leads to its state', () => {
  const links = operations.flatMap(({ operation }) => {
    const { content, links: given = {} } = operation.responses['202'] ?? {};
    const shown = Object.values(content?.['application/json']?.examples ?? {});
    const sent = operation.requestBody?.content['application/json']?.example;
    return Object.values(given).map((link) => ({ from: operation.operationId, link, shown, sent }));
  });
  expect(links.map(({ from, link }) => `${from} → ${link.operationId}`).toSorted()).toEqual([
    'changeAvailability → getAvailabilityChange',
    'changeMenus → getUpload',
    'checkLiveMenu → listLiveMenus',
    'pauseStore → getAvailabilityChange',
    'republishUpload → getUpload',
    'resendDelivery → getDelivery',
    'resumeStore → getAvailabilityChange',
    'revertRollout → getRollout',
    'sendItemData → getDelivery',
    'sendStockMovement → getDelivery',
    'setSpecialDays → getAvailabilityChange',
    'startRollout → getRollout',
    'uploadMenu → getUpload',
  ]);
  for (const { link, shown, sent } of links) {
    const target = operations.find(({ operation }) => operation.operationId === link.operationId);
    const known = (target?.operation.parameters ?? []).map(follow).map(({ name }) => name);
    for (const [name, expression] of Object.entries(link.parameters)) {
      expect(known).toContain(name);
      const [of, pointer = ''] = expression.split('#');
      const from = of === '$request.body' ? [sent] : shown.map(({ value }) => value);
      const ids = from.map((body) => partOf(body, pointer));
      expect([ids.length > 0, ids.every((id) => /^(string|number)$/.test(typeof id))]).toEqual([
        true,
        true,
      ]);
    }
  }
});

/** What a JSON Pointer leads to. */
function partOf(value: unknown, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .reduce((part, key) => (part as Readonly<Record<string, unknown>> | undefined)?.[key], value);
}

test('numbers in a query are described as numbers', () => {
  const limits = schemasIn(document.paths).filter(({ schema }) => schema['name'] === 'limit');
  expect(limits.length).toBeGreaterThan(1);
  for (const { schema } of limits) {
    expect(schema['schema']).toMatchObject({ type: 'integer', minimum: 1, maximum: 100 });
  }
});

test('private keywords of the checks are not shown', () => {
  expect(JSON.stringify(document)).not.toMatch(/x-refusal|x-hint|x-public/);
});

test('parameters in a path are those of the path', () => {
  for (const { path, operation } of operations) {
    const named = (operation.parameters ?? []).map(follow).filter((each) => each.in === 'path');
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect(named.map((each) => each.name)).toEqual(inPath);
  }
});

test.each(bodies)('the example body of $id matches its schema', ({ schema, example }) => {
  expect(problems(schema, example)).toBe('');
});

test('the length that the description of a list names is the longest that its schema takes', () => {
  const named = schemasIn(document).flatMap(({ at, schema: { description, maxItems } }) => {
    if (typeof description !== 'string' || maxItems === undefined) return [];
    const [, length] = /\bup to ([\d,]+) /i.exec(description) ?? [];
    return length === undefined ? [] : [{ at, length, maxItems }];
  });
  expect(named.length).toBeGreaterThan(3);
  for (const { at, length, maxItems } of named)
    expect([at, Number(length.replaceAll(',', ''))]).toEqual([at, maxItems]);
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

test('every example of an answer matches its schema', () => {
  const wrong = examples
    .map(({ answer, schema, value }) => ({ answer, problem: problems(schema, value) }))
    .filter(({ problem }) => problem !== '');
  expect(wrong).toEqual([]);
  expect(examples.length).toBeGreaterThan(100);
});

test('every refusal has an example as a problem, with its status and one of its sentences', () => {
  const refusals = operations.flatMap(({ operation }) =>
    Object.entries(operation.responses).flatMap(([status, response]) => {
      const { content = {} } = follow(response);
      const problem = content['application/problem+json'];
      const plain = Object.values(content['application/json']?.examples ?? {});
      return problem
        ? [{ answer: `${operation.operationId} ${status}`, status, problem, plain }]
        : [];
    }),
  );
  expect(refusals.length).toBeGreaterThan(400);
  for (const { answer, status, problem, plain } of refusals) {
    const [example] = Object.values(problem.examples ?? {});
    const value = example?.value as Readonly<Record<string, string>> | undefined;
    expect([answer, String(value?.['status'])]).toEqual([answer, status]);
    expect([answer, JSON.stringify(plain)]).toEqual([
      answer,
      expect.stringContaining(JSON.stringify(value?.['detail'])),
    ]);
  }
});

test('every parameter and every header has an example that its schema takes', () => {
  const given = operations.flatMap(({ operation }) => (operation.parameters ?? []).map(follow));
  const headers: Readonly<Record<string, (typeof given)[number]>> = document.components.headers;
  const parameters = [
    ...given,
    ...Object.entries(headers).map(([name, header]) => ({ ...header, in: 'answer', name })),
  ];
  expect(parameters.length).toBeGreaterThan(150);
  const wrong = parameters.flatMap(({ in: place, name, schema = {}, example }) => {
    const [shown] = example === undefined ? (schema.examples ?? []) : [example];
    const problem = shown === undefined ? 'no example' : problems(schema, shown);
    return problem === '' ? [] : [`${place} ${name}: ${problem}`];
  });
  expect(wrong).toEqual([]);
});

test('the schema of a menu accepts every menu that the rules accept', () => {
  const folder = join(__dirname, '..', 'delivery-apps', 'golden', 'input');
  const names = ['smallest', 'nested-groups', 'promotions', 'absent-optionals', 'two-menus'];
  for (const name of names) {
    const { menu } = JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as {
      menu: object;
    };
    const upload = { store_id: 1, integration_id: '1', ...menu };
    expect(problems({ $ref: '#/components/schemas/MenuUpload' }, upload)).toBe('');
  }
});

test('what is sent to receivers is described: examples, bodies of both types, and events with a name each', () => {
  for (const [name, { example }] of sentMessages)
    expect([name, wrongMessage(name, example)]).toEqual([name, '']);
  const to = { inventorySystemId: '3f0e9d3c-5a6b-4b7e-9a51-0c9f5d2a7e11', externalStoreId: 'S-1' };
  const items = itemDataPayload({ ...to, units: '[]', items: '[{"id":1}]', suppliers: '[]' });
  const stock = stockPayload({
    ...to,
    externalId: 'i',
    currentStock: '1',
    quantity: '1',
    date: '2026-11-21',
    movementType: 1,
  });
  const now = wholeSecond(Date.now());
  expect(wrongMessage('itemData', JSON.parse(renderBody(items, now)))).toBe('');
  expect(wrongMessage('stockMovement', JSON.parse(renderBody(stock, now)))).toBe('');
  expect(wrongMessage('webhook.test', JSON.parse(testEventPayload(new Date())))).toBe('');
  expect(wrongMessage('webhook.test', { type: 'upload.ended', timestamp: now, data: {} })).not.toBe(
    '',
  );
});
