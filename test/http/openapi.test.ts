import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROUTES } from '../../src/http/routes';
import {
  ajv,
  bodies,
  document,
  follow,
  lookUp,
  operations,
  problems,
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
