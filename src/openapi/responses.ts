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
import { guardAnswers } from './guard-answers';

const HEADER_DESCRIPTIONS: Readonly<
  Record<ResponseHeader | 'X-Request-Id' | 'Idempotency-Replayed', string>
> = {
  'X-Request-Id': 'The id of the request.',
  'X-Upload-Id': 'The upload, from the moment it is stored.',
  Location: 'Where the status of the upload is.',
  'Retry-After': 'Seconds to wait.',
  Link: 'With `rel="next"`: the next page of lines.',
  'X-Error-Source': '`pos`: status and body are the POS’s own.',
  'WWW-Authenticate': '`Bearer`.',
  'Idempotency-Replayed': '`true` on the answer of an earlier request with the same key.',
};

/** In the document’s components. */
export const SHARED_HEADERS: Readonly<Record<string, JsonSchema>> = Object.fromEntries(
  Object.entries(HEADER_DESCRIPTIONS).map(([name, description]) => [
    name,
    { description, schema: { type: 'string' } },
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
  for (const answer of [...operation.answers, ...guardAnswers(operation)]) {
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
  return [...new Set(['X-Request-Id', ...own, ...replayed])];
}

function headersOf(names: readonly string[]): JsonSchema {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** One response for all answers with the same status: either one success, or refusals of one form. */
function renderAnswers(status: Answer['status'], answers: readonly Answer[]): JsonSchema {
  const whens = answers.flatMap((each) => ('when' in each && each.when ? [each.when] : []));
  const description = whens.join(' ') || (STATUS_CODES[status] ?? String(status));
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
      content: refusalContent({ $ref: '#/components/schemas/FieldErrors' }, fieldExamples(fields)),
    };
  }
  const refusals = answers.filter((each) => 'sentences' in each);
  return { description, content: refusalContent(errorSchema(refusals), errorExamples(refusals)) };
}

function successContent({ mediaType, schema, examples }: Success): JsonSchema {
  const shown = Object.entries(examples).map(([name, value]) => [name, { value }]);
  return {
    [mediaType ?? 'application/json']: { schema, examples: Object.fromEntries(shown) },
  };
}

function linkOf({ operation, parameter, pointer }: StatusLink): JsonSchema {
  const parameters = { [parameter]: `$response.body#${pointer}` };
  return { [operation]: { operationId: operation, parameters } };
}

function refusalContent(schema: JsonSchema, examples: JsonSchema): JsonSchema {
  return {
    'application/json': { schema, examples },
    'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
  };
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
