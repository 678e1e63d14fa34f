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
import type { JsonSchema } from '../../src/contract/answers';
import {
  ajv,
  bodies,
  document,
  follow,
  lookUp,
  operations,
  problems,
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

/** Every schema of the document with its path, however deep. */
function schemasIn(value: unknown, at = '#'): { at: string; schema: Record<string, unknown> }[] {
  if (typeof value !== 'object' || value === null) return [];
  const inside = Object.entries(value).flatMap(([key, each]) =>
    // Examples may look like schemas, but are not.
    key === 'example' || key === 'examples' ? [] : schemasIn(each, `${at}/${key}`),
  );
  return Array.isArray(value) ? inside : [{ at, schema: { ...value } }, ...inside];
}

// For each of these, generators of clients leave out an operation without an error, or make code that does not compile.
describe('it avoids what breaks generators of clients:', () => {
  const schemas = schemasIn(document);

  test('enums of several types', () => {
    const enums = schemas.filter(({ schema }) => Array.isArray(schema['enum']));
    expect(enums.length).toBeGreaterThan(20);
    const mixed = enums.filter(({ schema: { type, enum: values } }) => {
      const types = new Set((values as unknown[]).map((value) => typeof value));
      return types.size !== 1 || typeof type !== 'string';
    });
    expect(mixed.map(({ at }) => at)).toEqual([]);
  });

  test('arrays without an element type', () => {
    const arrays = schemas.filter(({ schema }) => schema['type'] === 'array');
    expect(arrays.length).toBeGreaterThan(20);
    expect(arrays.filter(({ schema }) => !schema['items']).map(({ at }) => at)).toEqual([]);
  });

  test('a number that may be text, without a form for each', () => {
    const both = schemas.filter(({ schema: { type } }) => {
      const types = Array.isArray(type) ? type : [];
      return types.includes('string') && types.join() !== 'string,null';
    });
    // What only a condition says has no name in code.
    expect(both.map(({ at }) => at).filter((at) => !/\/(if|then)\//.test(at))).toEqual([]);
  });

  test('a pattern without its type', () => {
    const patterns = schemas.filter(({ schema }) => typeof schema['pattern'] === 'string');
    expect(patterns.length).toBeGreaterThan(20);
    expect(patterns.filter(({ schema }) => !schema['type']).map(({ at }) => at)).toEqual([]);
  });

  test('null beside an object that has no name', () => {
    const choices = schemas.flatMap(({ at, schema: { anyOf } }) =>
      Array.isArray(anyOf) ? [{ at, forms: anyOf as JsonSchema[] }] : [],
    );
    const nullable = choices.filter(({ forms }) => forms.some(({ type }) => type === 'null'));
    expect(nullable.length).toBeGreaterThan(5);
    const unnamed = nullable.filter(({ forms }) => forms.some(({ type }) => type === 'object'));
    expect(unnamed.map(({ at }) => at)).toEqual([]);
  });

  test('whole numbers that 32 bits do not hold, called 32 bits wide', () => {
    const large = schemas.filter(
      ({ schema: { type, maximum } }) => type === 'integer' && Number(maximum) > 2 ** 31,
    );
    expect(large.length).toBeGreaterThan(5);
    expect(large.map(({ schema }) => schema['format'])).toEqual(large.map(() => 'int64'));
  });

  test('a schema whose name is what Go calls the maker of another one', () => {
    const names = Object.keys(document.components.schemas);
    expect(names.filter((name) => names.includes(`New${name}`))).toEqual([]);
  });

  test('two schemas with the same name in code, from a component and from another one’s field', () => {
    const components: Readonly<Record<string, JsonSchema>> = document.components.schemas;
    const names = Object.keys(components);
    const inline = Object.entries(components).flatMap(([name, { properties = {} }]) =>
      Object.entries(properties as Readonly<Record<string, JsonSchema>>)
        .filter(([, property]) => property['enum'] !== undefined)
        .map(([field]) => `${name}${field[0]?.toUpperCase()}${field.slice(1)}`),
    );
    expect(inline.filter((name) => names.includes(name))).toEqual([]);
  });
});

test('an answer that something was begun leads to its state', () => {
  const links = operations.flatMap(({ operation }) => {
    const { content, links: given = {} } = operation.responses['202'] ?? {};
    const shown = Object.values(content?.['application/json']?.examples ?? {});
    return Object.values(given).map((link) => ({ from: operation.operationId, link, shown }));
  });
  expect(links.map(({ from, link }) => `${from} → ${link.operationId}`).toSorted()).toEqual([
    'changeAvailability → getAvailabilityChange',
    'pauseStore → getAvailabilityChange',
    'republishUpload → getUpload',
    'resendDelivery → getDelivery',
    'resumeStore → getAvailabilityChange',
    'revertRollout → getRollout',
    'sendItemData → getDelivery',
    'sendStockMovement → getDelivery',
    'startRollout → getRollout',
    'uploadMenu → getUpload',
  ]);
  for (const { link, shown } of links) {
    const target = operations.find(({ operation }) => operation.operationId === link.operationId);
    for (const [name, expression] of Object.entries(link.parameters)) {
      expect(target?.path).toContain(`{${name}}`);
      const [, pointer = ''] = expression.split('#');
      const ids = shown.map(({ value }) => partOf(value, pointer));
      expect([ids.length > 0, ids.map((id) => typeof id)]).toEqual([true, ids.map(() => 'string')]);
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
  expect(JSON.stringify(document)).not.toMatch(/x-refusal|x-public/);
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

test('the schema of a menu accepts every menu that the rules accept', () => {
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
