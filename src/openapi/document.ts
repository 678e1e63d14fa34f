import { CALLBACK_SIGNATURE_HEADER } from '../delivery-apps/app-c/callback';
import { ANSWER_SCHEMAS } from './answer-schemas';
import { MENU_SCHEMAS } from './menu-schemas';
import { GROUPS, type JsonSchema, type Operation, type RequestBody } from './operation';
import { OPERATIONS } from './operations';
import { parametersOf, SHARED_PARAMETERS } from './parameters';
import { publicBodySchema } from './public-schema';
import { responsesOf, SHARED_HEADERS, SHARED_RESPONSES } from './responses';

const INTRODUCTION = [
  'JSON in and out, UTF-8. A body may be gzipped.',
  'The first check that fails answers, in this order: unknown path 404, method 405 (with `Allow`), token 401, rate limit 429, content type 415, size 413, ' +
    'JSON 400, field shape 422, permission 403, rules of the endpoint 404 and 409.',
  'Errors are `{"message": ["…"], "data": null}`, and for fields `{"field": ["…"]}`. With `Accept: application/problem+json` they come as RFC 9457: the same sentences with ' +
    'codes and pointers.',
  'Send an `Idempotency-Key` with every POST, and it can be repeated safely.',
  'Amounts are digit strings and never floats: the price `"1030"` is 10.30, stock is `"-3"` or `"10.5"`.',
].join('\n\n');

/** The whole API as an OpenAPI 3.1 document, made from the table of operations and the schemas that requests are checked by. */
export function createOpenApiDocument() {
  return {
    openapi: '3.1.0',
    info: { title: 'POS integrations', version: '1', description: INTRODUCTION },
    servers: [{ url: '/', description: 'This server.' }],
    tags: Object.entries(GROUPS).map(([name, description]) => ({ name, description })),
    paths: pathsOf(OPERATIONS),
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'Made by `npm run admin -- token create`, and printed by `npm start`.',
        },
        appCSignature: { type: 'apiKey', in: 'header', name: CALLBACK_SIGNATURE_HEADER },
      },
      parameters: SHARED_PARAMETERS,
      headers: SHARED_HEADERS,
      responses: SHARED_RESPONSES,
      schemas: { ...bodySchemas(OPERATIONS), ...MENU_SCHEMAS, ...ANSWER_SCHEMAS },
    },
  };
}

function pathsOf(operations: readonly Operation[]): Readonly<Record<string, JsonSchema>> {
  const paths: Record<string, Record<string, JsonSchema>> = {};
  for (const operation of operations) {
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method]: renderOperation(operation),
    };
  }
  return paths;
}

function renderOperation(operation: Operation): JsonSchema {
  const { id, group, summary, description, permission, body } = operation;
  const parameters = parametersOf(operation);
  return {
    operationId: id,
    tags: [group],
    summary,
    ...(description === undefined ? {} : { description }),
    ...(permission === undefined ? {} : { 'x-permission': permission }),
    security: securityOf(operation),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body ? { requestBody: renderBody(body) } : {}),
    responses: responsesOf(operation),
  };
}

function securityOf({ access }: Operation): readonly JsonSchema[] {
  switch (access) {
    case 'token':
      return [{ bearer: [] }];
    case 'signature':
      return [{ appCSignature: [] }];
    case 'open':
      return [];
  }
}

function renderBody({ name, maxBytes, example }: RequestBody): JsonSchema {
  const size = maxBytes >= 1_048_576 ? `${maxBytes / 1_048_576} MB` : `${maxBytes / 1024} KB`;
  return {
    required: true,
    description: `At most ${size}, also after gzip decoding.`,
    content: {
      'application/json': { schema: { $ref: `#/components/schemas/${name}` }, example },
    },
  };
}

function bodySchemas(operations: readonly Operation[]): Readonly<Record<string, JsonSchema>> {
  const bodies = operations.flatMap(({ body }) => (body ? [body] : []));
  return Object.fromEntries(
    bodies.map(({ name, schema }) => [name, publicBodySchema(name, schema)]),
  );
}
