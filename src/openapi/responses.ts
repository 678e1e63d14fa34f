import { asciiLower } from '../platform/text/ascii-case';
import { STATUS_CODES } from 'node:http';
import type { RouteContract } from '../http/route';
import {
  type Answer,
  ERROR_MESSAGES,
  type FieldRefusal,
  type JsonSchema,
  orNull,
  record,
  type Refusal,
  type ResponseHeader,
  type StatusLink,
  type Success,
} from '../contract/answers';
import { UPLOAD_ID } from '../contract/examples';
import { csvAnswers } from '../http/csv/csv-lists';
import { guardAnswers } from './guard-answers';
import { CURSOR, REQUEST_ID } from './parameters';
import { fieldProblemExample, problemExample } from './problem-example';

/** What each header says, and an example of it. */
const HEADERS: Readonly<
  Record<
    ResponseHeader | 'X-Request-Id' | 'Idempotency-Replayed' | 'RateLimit' | 'RateLimit-Policy',
    readonly [description: string, example: string]
  >
> = {
  'X-Request-Id': ['The id of the request.', REQUEST_ID],
  'X-Upload-Id': ['The upload, from the moment it is stored.', UPLOAD_ID],
  ETag: ['Of this version; `If-None-Match` may name it.', '"47DEQpj8HBSa-_TImW-5JC"'],
  Location: ['Where the status of the upload is.', `/api/v1/menus/uploads/${UPLOAD_ID}`],
  'Retry-After': ['Seconds to wait.', '5'],
  Link: [
    'With `rel="next"`: the next page of lines or rows.',
    `</api/v1/menus/uploads/${UPLOAD_ID}/changes?cursor=${CURSOR}>; rel="next"`,
  ],
  'X-Error-Source': ['`pos`: status and body are the POS’s own.', 'pos'],
  'WWW-Authenticate': ['`Bearer`.', 'Bearer'],
  'RateLimit-Policy': ['`q`: requests of a token in `w` seconds.', '"token";q=200;w=2'],
  RateLimit: ['`r`: requests that are left now; `t`: seconds until all are.', '"token";r=187;t=1'],
  'Idempotency-Replayed': ['`true` on the answer of an earlier request with the same key.', 'true'],
};

/** In the document’s components. */
export const SHARED_HEADERS: Readonly<Record<string, JsonSchema>> = Object.fromEntries(
  Object.entries(HEADERS).map(([name, [description, example]]) => [
    name,
    { description, schema: { type: 'string' }, example },
  ]),
);

export const SHARED_RESPONSES = {
  Unauthorized: {
    description:
      'The token is missing, malformed, unknown, expired or revoked. Always plain text, whatever `Accept` says.',
    headers: headersOf(['X-Request-Id', 'WWW-Authenticate']),
    content: {
      'text/plain': {
        schema: { type: 'string' },
        examples: { unauthorized: { value: 'Unauthorized.' } },
      },
    },
  },
} as const satisfies Readonly<Record<string, JsonSchema>>;

/** All answers of an operation by status, lowest first: its own, and those of its guards. */
export function responsesOf(operation: RouteContract): Readonly<Record<string, JsonSchema>> {
  const byStatus = new Map<Answer['status'], Answer[]>();
  const all = [...operation.answers, ...csvAnswers(operation), ...guardAnswers(operation)];
  for (const answer of all) {
    byStatus.set(answer.status, [...(byStatus.get(answer.status) ?? []), answer]);
  }
  // Integer keys come first and in ascending order, however they are written.
  return Object.fromEntries([
    ...[...byStatus].map(([status, answers]) => [
      status,
      { ...renderAnswers(status, answers), headers: headersOf(headerNames(operation, answers)) },
    ]),
    ...(operation.access.kind === 'public'
      ? []
      : [[401, { $ref: '#/components/responses/Unauthorized' }]]),
  ]);
}

function headerNames(operation: RouteContract, answers: readonly Answer[]): readonly string[] {
  const own = answers.flatMap((each) => ('headers' in each ? (each.headers ?? []) : []));
  const succeeds = answers.some((each) => 'schema' in each);
  const replayed = succeeds && operation.idempotency === 'kept' ? ['Idempotency-Replayed'] : [];
  const limited = operation.access.kind === 'token' ? ['RateLimit-Policy', 'RateLimit'] : [];
  return [...new Set(['X-Request-Id', ...limited, ...own, ...replayed])];
}

function headersOf(names: readonly string[]): JsonSchema {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** One response for all answers with the same status: either one success, or refusals of one form, or a 304. */
function renderAnswers(status: Answer['status'], answers: readonly Answer[]): JsonSchema {
  const whens = answers.flatMap((each) => ('when' in each && each.when ? [each.when] : []));
  const description = whens.join(' ') || (STATUS_CODES[status] ?? String(status));
  if (status === 304) return { description };
  const successes = answers.filter((each) => 'schema' in each);
  if (successes.length > 0) {
    const links = successes.flatMap(({ link }) => (link ? [linkOf(link)] : []));
    return {
      description,
      content: Object.assign({}, ...successes.map(successContent)),
      ...(links.length === 0 ? {} : { links: Object.assign({}, ...links) }),
    };
  }
  const fields = answers.find((each) => 'fields' in each);
  if (fields) {
    return {
      description: 'A field has the wrong shape, or refers to something that does not exist.',
      content: refusalContent(
        { $ref: '#/components/schemas/FieldErrors' },
        fieldExamples(fields),
        fieldProblem(fields),
      ),
    };
  }
  const refusals = answers.filter((each) => 'sentences' in each);
  const [sentence = ''] = refusals.flatMap((each) => each.sentences);
  return {
    description,
    content: refusalContent(
      errorSchema(refusals),
      errorExamples(refusals),
      problemExample(Number(status), sentence),
    ),
  };
}

function successContent({ mediaType, schema, examples }: Success): JsonSchema {
  const shown = Object.entries(examples).map(([name, value]) => [name, { value }]);
  return {
    [mediaType ?? 'application/json']: { schema, examples: Object.fromEntries(shown) },
  };
}

function linkOf({ operation, parameter, pointer, of = 'response' }: StatusLink): JsonSchema {
  const parameters = { [parameter]: `$${of}.body#${pointer}` };
  return { [operation]: { operationId: operation, parameters } };
}

/** One example as a problem: the others differ in their words only. */
function refusalContent(
  schema: JsonSchema,
  examples: JsonSchema,
  problem: object | undefined,
): JsonSchema {
  return {
    'application/json': { schema, examples },
    'application/problem+json': {
      schema: { $ref: '#/components/schemas/Problem' },
      ...(problem === undefined ? {} : { examples: { problem: { value: problem } } }),
    },
  };
}

function fieldProblem({ fields }: FieldRefusal): object | undefined {
  const [first] = Object.entries(fields);
  const [field, [sentence = ''] = []] = first ?? [''];
  return fieldProblemExample(field, sentence);
}

/** Written out if there is data: `allOf` with a part of it changed is more than generators understand. */
function errorSchema(refusals: readonly Refusal[]): JsonSchema {
  const data = refusals.find((each) => each.data)?.data;
  if (!data) return { $ref: '#/components/schemas/Error' };
  return record({ message: ERROR_MESSAGES, data: orNull(data) });
}

function errorExamples(refusals: readonly Refusal[]): JsonSchema {
  const sentences = new Set(refusals.flatMap((each) => each.sentences));
  return Object.fromEntries(
    [...sentences].map((each) => [exampleName(each), { value: { message: [each], data: null } }]),
  );
}

function fieldExamples({ fields }: FieldRefusal): JsonSchema {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([field, sentences]) =>
      sentences.map((each) => [exampleName(each), { value: { [field]: [each] } }]),
    ),
  );
}

/** A name that links and generators of code accept. */
function exampleName(sentence: string): string {
  return asciiLower(sentence)
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}
