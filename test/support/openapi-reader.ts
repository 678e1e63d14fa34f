import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { createOpenApiDocument } from '../../src/openapi/document';
import { ROUTES } from '../../src/run/routes';
import { FORMATS } from '../../src/platform/validation/formats';
import type { TestAnswer } from './api';

interface Response {
  readonly $ref?: string;
  readonly headers?: Record<string, object>;
  readonly content?: Record<string, { schema: object; examples?: Record<string, Example> }>;
  readonly links?: Record<string, { operationId: string; parameters: Record<string, string> }>;
}
interface Example {
  readonly value: unknown;
}
interface Parameter {
  readonly $ref?: string;
  readonly name?: string;
  readonly in?: string;
  readonly schema?: { readonly examples?: readonly unknown[] };
  readonly example?: unknown;
}
interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { content: Record<string, { schema: object; example: unknown }> };
  readonly responses: Record<string, Response>;
  readonly security: readonly Record<string, unknown>[];
}

export const document = createOpenApiDocument(ROUTES);
const paths = document.paths as unknown as Record<string, Record<string, Operation>>;
export const operations = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);

export const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats(ajv);
for (const [name, check] of Object.entries(FORMATS)) ajv.addFormat(name, check);
ajv.addSchema({ $id: 'api:/', ...document });

const compiled = new WeakMap<object, ValidateFunction>();

/** The errors of a value, by a schema that may refer to the document; empty if there are none. */
export function problems(schema: object, value: unknown): string {
  const validate = compiled.get(schema) ?? ajv.compile(absolute(schema));
  compiled.set(schema, validate);
  return validate(value) ? '' : ajv.errorsText(validate.errors);
}

/** The schema of an answer of an operation; undefined when the document has no such answer. */
export function responseOf(
  operationId: string,
  status: number,
  mediaType: string,
): object | undefined {
  const responses = operationOf(operationId)?.responses ?? {};
  const response = responses[String(status)] ?? responses['default'];
  return response && follow(response).content?.[mediaType]?.schema;
}

/** The example of a refusal as problem+json. */
export function problemExampleOf(
  operationId: string,
  status: number,
): { readonly errors: readonly unknown[] } {
  const response = operationOf(operationId)?.responses[String(status)];
  const content = response && follow(response).content?.['application/problem+json'];
  return content?.examples?.['problem']?.value as { errors: readonly unknown[] };
}

interface SentMessage {
  readonly schema: object;
  readonly example: unknown;
}

/** Messages of the service, by the name in the document's `webhooks`. */
export const sentMessages: ReadonlyMap<string, SentMessage> = new Map(
  Object.entries(
    document.webhooks as unknown as Record<string, { readonly post: Operation }>,
  ).flatMap(([name, { post }]) => {
    const sent = post.requestBody?.content['application/json'];
    return sent === undefined ? [] : [[name, sent] as const];
  }),
);

/** The errors of a message from the service; empty if there are none. */
export function wrongMessage(name: string, body: unknown): string {
  const sent = sentMessages.get(name);
  return sent === undefined ? `${name} is not described` : problems(sent.schema, body);
}

function operationOf(id: string): Operation | undefined {
  return operations.find(({ operation }) => operation.operationId === id)?.operation;
}

function absolute(schema: object): object {
  const text = JSON.stringify(schema);
  return JSON.parse(text.replaceAll('"$ref":"#/', '"$ref":"api:/#/')) as object;
}

export function lookUp(reference: string): unknown {
  return reference
    .split('/')
    .slice(1)
    .reduce<unknown>(
      (part, key) => (part as Record<string, unknown> | undefined)?.[key.replaceAll('~1', '/')],
      document,
    );
}

export function follow<T extends { $ref?: string }>(value: T): T {
  return value.$ref === undefined ? value : (lookUp(value.$ref) as T);
}

export const bodies = operations.flatMap(({ operation }) => {
  const body = operation.requestBody?.content['application/json'];
  return body ? [{ id: operation.operationId, ...body }] : [];
});

/** The parts of an answer that the document does not describe; empty if there are none. */
export function undescribed(operationId: string, answer: TestAnswer): string[] {
  const found = operations.find(({ operation }) => operation.operationId === operationId);
  const response = found?.operation.responses[String(answer.status)];
  const [mediaType = ''] = (answer.headers.get('content-type') ?? '').split(';');
  const content = response && follow(response).content?.[mediaType];
  const what = `${operationId} ${answer.status} ${mediaType}`;
  if (!content) return [`${what}: ${answer.text}`];
  const problem = problems(content.schema, answer.json ?? answer.text);
  return problem === '' ? [] : [`${what}: ${problem}`];
}

export function exampleBody(operationId: string): unknown {
  return bodies.find(({ id }) => id === operationId)?.example;
}

/** Every schema of the document with its path, however deep. */
export function schemasIn(
  value: unknown,
  at = '#',
): { at: string; schema: Record<string, unknown> }[] {
  if (typeof value !== 'object' || value === null) return [];
  const inside = Object.entries(value).flatMap(([key, each]) =>
    // Examples may look like schemas, but are not.
    key === 'example' || key === 'examples' ? [] : schemasIn(each, `${at}/${key}`),
  );
  return Array.isArray(value) ? inside : [{ at, schema: { ...value } }, ...inside];
}
