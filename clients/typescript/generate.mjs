// Writes src/api-types.ts and src/operations.ts from the service's own description: `npm run clients` at the root.
// With --check it writes nothing and ends with 1 when they are not what it would write.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import openapiTS, { astToString } from 'openapi-typescript';
import { createOpenApiDocument } from '../../src/openapi/document.ts';
import { ROUTES } from '../../src/run/routes.ts';

const NOTE = '// Written by generate.mjs from /openapi.json; do not edit.\n\n';
const document = createOpenApiDocument(ROUTES);

/**
 * What the types are made from: answers that say yes, without examples and headers. Every refusal has one of the forms
 * that `ApiError` reads, so the types of each would be three quarters of the file and of no use to a caller.
 */
function withoutRefusals({ paths, webhooks, ...rest }) {
  return { ...rest, paths: mapOperations(paths), webhooks: mapOperations(webhooks) };
}

function mapOperations(paths) {
  return mapValues(paths, (methods) => mapValues(methods, slimOperation));
}

function slimOperation({ responses, requestBody, ...operation }) {
  const good = Object.entries(responses).filter(([status]) => !/^[345]/.test(status));
  return {
    ...operation,
    ...(requestBody && { requestBody: withoutExamples(requestBody) }),
    responses: Object.fromEntries(
      good.map(([status, { description, content }]) => [
        status,
        { description, ...(content && withoutExamples({ content })) },
      ]),
    ),
  };
}

function withoutExamples({ content, ...rest }) {
  return content ? { ...rest, content: mapValues(content, ({ schema }) => ({ schema })) } : rest;
}

function mapValues(object, change) {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));
}

/** Method and path by operation, and whether the service keeps the answer to an idempotency key. */
function operationTable() {
  const lines = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, parameters = [] }]) => {
      const keyed = parameters.some(
        ({ $ref }) => $ref === '#/components/parameters/IdempotencyKey',
      );
      return `  ${operationId}: { method: '${method.toUpperCase()}', path: '${path}', keyed: ${keyed} },\n`;
    }),
  );
  return (
    '/** Every operation; `keyed`: an `Idempotency-Key` makes it repeatable. */\n' +
    `export const OPERATIONS = {\n${lines.join('')}} as const;\n`
  );
}

const types = astToString(await openapiTS(JSON.stringify(withoutRefusals(document))));
const files = { 'api-types.ts': NOTE + types, 'operations.ts': NOTE + operationTable() };

for (const [name, text] of Object.entries(files)) {
  const file = join(import.meta.dirname, 'src', name);
  if (!process.argv.includes('--check')) writeFileSync(file, text);
  else if (readFileSync(file, 'utf8') !== text) {
    process.stderr.write(
      `${name} is not what the description says; npm run clients writes it anew.\n`,
    );
    process.exitCode = 1;
  }
}
