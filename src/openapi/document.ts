import { ANSWER_SCHEMAS } from '../contract/answer-schemas';
import { VERSION } from '../contract/version';
import { MENU_SCHEMAS } from './menu-schemas';
import { GROUPS, type RouteContract } from '../http/route';
import type { JsonSchema } from '../contract/answers';
import { parametersOf, SHARED_PARAMETERS } from './parameters';
import { publicBodySchema } from './public-schema';
import { WEBHOOK_SCHEMAS, WEBHOOKS } from './webhooks';
import { responsesOf, SHARED_HEADERS, SHARED_RESPONSES } from './responses';

const INTRODUCTION = [
  'JSON in and out, UTF-8. A body may be gzipped.',
  'The first check that fails answers, in this order: unknown path 404, method 405 (with `Allow`), token 401, rate limit 429, deactivated or deleted user 409, content type 415, size 413, ' +
    'JSON 400, field shape 422, permission 403, rules of the endpoint 404 and 409.',
  'Errors are `{"message": ["…"], "data": null}`, and for fields `{"field": ["…"]}`. With `Accept: application/problem+json` they come as RFC 9457: the same sentences with ' +
    'codes and pointers.',
  'Send an `Idempotency-Key` with every POST, so that you can repeat it safely.',
  'Amounts are digit strings and never floats: the price `"1030"` is 10.30, stock is `"-3"` or `"10.5"`.',
].join('\n\n');

/** The whole API as an OpenAPI 3.1 document, made from the declarations that check requests. */
export function createOpenApiDocument(routes: readonly RouteContract[]) {
  const operations = routes.filter(({ group }) => group !== null);
  return {
    openapi: '3.1.0',
    info: { title: 'POS integrations', version: VERSION, description: INTRODUCTION },
    servers: [{ url: '/', description: 'This server.' }],
    tags: Object.entries(GROUPS).map(([name, description]) => ({ name, description })),
    paths: pathsOf(operations),
    webhooks: WEBHOOKS,
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'Created by `npm run admin -- token create`; `npm start` prints one.',
        },
        ...signatureSchemes(operations),
      },
      parameters: SHARED_PARAMETERS,
      headers: SHARED_HEADERS,
      responses: SHARED_RESPONSES,
      schemas: {
        ...bodySchemas(operations),
        ...MENU_SCHEMAS,
        ...ANSWER_SCHEMAS,
        ...WEBHOOK_SCHEMAS,
      },
    },
  };
}

function pathsOf(operations: readonly RouteContract[]): Readonly<Record<string, JsonSchema>> {
  const paths: Record<string, Record<string, JsonSchema>> = {};
  for (const operation of operations) {
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method]: renderOperation(operation),
    };
  }
  return paths;
}

function renderOperation(operation: RouteContract): JsonSchema {
  const { id, group, summary, description, access, body } = operation;
  const permission = access.kind === 'token' ? access.permission : null;
  const parameters = parametersOf(operation);
  return {
    operationId: id,
    tags: [group],
    summary,
    ...(description === undefined ? {} : { description }),
    ...(permission === null ? {} : { 'x-permission': permission }),
    security: securityOf(operation),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...renderBody(body),
    responses: responsesOf(operation),
  };
}

/** One for each callback, because every delivery app has its own header. */
function signatureSchemes(
  operations: readonly RouteContract[],
): Readonly<Record<string, JsonSchema>> {
  const schemes = operations.flatMap(({ id, access }) =>
    access.kind === 'signature'
      ? [[signatureName(id), { type: 'apiKey', in: 'header', name: access.header }]]
      : [],
  );
  return Object.fromEntries(schemes);
}

const signatureName = (id: string): string => `${id}Signature`;

function securityOf({ id, access }: RouteContract): readonly JsonSchema[] {
  switch (access.kind) {
    case 'token':
      return [{ bearer: [] }];
    case 'signature':
      return [{ [signatureName(id)]: [] }];
    case 'public':
    case 'session':
      return [];
  }
}

function renderBody(body: RouteContract['body']): JsonSchema {
  switch (body.kind) {
    case 'none':
    case 'form':
      return {};
    case 'empty':
      return {
        requestBody: {
          required: false,
          description: 'None, or `{}` with any content type.',
          content: { 'application/json': { schema: { type: 'object' }, example: {} } },
        },
      };
    case 'signed':
      return {
        requestBody: {
          required: true,
          description: `At most ${sizeText(body.maxBytes)}.`,
          content: { 'application/json': { schema: { type: 'object' }, example: body.example } },
        },
      };
    case 'json':
      return {
        requestBody: {
          required: true,
          description: `At most ${sizeText(body.maxBytes)}, also after gzip decoding.`,
          content: {
            'application/json': {
              schema: { $ref: `#/components/schemas/${body.name}` },
              example: body.example,
            },
          },
        },
      };
  }
}

function sizeText(bytes: number): string {
  return bytes >= 1_048_576 ? `${bytes / 1_048_576} MB` : `${bytes / 1024} KB`;
}

function bodySchemas(operations: readonly RouteContract[]): Readonly<Record<string, JsonSchema>> {
  const bodies = operations.flatMap(({ body }) => (body.kind === 'json' ? [body] : []));
  return Object.fromEntries(
    bodies.map(({ name, schema }) => [name, publicBodySchema(name, schema)]),
  );
}
