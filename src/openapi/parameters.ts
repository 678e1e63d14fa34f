import type { RouteContract } from '../http/route';
import type { JsonSchema } from '../contract/answers';
import { fieldDescription, publicQuerySchema } from './public-schema';

const ref = (name: string): JsonSchema => ({ $ref: `#/components/parameters/${name}` });

/** Headers that many operations take. */
export const SHARED_PARAMETERS = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'Makes the request repeatable: for 24 hours its first answer is replayed byte for byte. Printable ASCII without blanks.',
    schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,255}$' },
  },
  RequestId: {
    name: 'X-Request-Id',
    in: 'header',
    description: 'Echoed, logged, and stored with the rows of the request. Generated if absent.',
    schema: { type: 'string', pattern: '^[\\w-]{1,64}$' },
  },
  Prefer: {
    name: 'Prefer',
    in: 'header',
    description: '`respond-async` does not wait for the outcome.',
    schema: { type: 'string', enum: ['respond-async'] },
  },
} as const satisfies Readonly<Record<string, JsonSchema>>;

/** Path, query and header parameters of an operation, in this order. */
export function parametersOf(operation: RouteContract): readonly JsonSchema[] {
  return [
    ...pathParameters(operation),
    ...queryParameters(operation),
    ...(operation.headers ?? []).map(ref),
    ...(operation.idempotency === 'kept' ? [ref('IdempotencyKey')] : []),
    ...(operation.access.kind === 'token' ? [ref('RequestId')] : []),
  ];
}

/** Ids: a malformed one is answered 404, so their form is not described. */
function pathParameters({ parameters }: RouteContract): readonly JsonSchema[] {
  return Object.entries(parameters).map(([name, example]) => ({
    name,
    in: 'path',
    required: true,
    description: fieldDescription(name),
    schema: { type: 'string', minLength: 1 },
    example,
  }));
}

function queryParameters({ query: { schema: query } }: RouteContract): readonly JsonSchema[] {
  return Object.entries(query?.properties ?? {}).map(([name, schema]) => ({
    name,
    in: 'query',
    required: query?.required?.includes(name) ?? false,
    description: fieldDescription(name),
    schema: publicQuerySchema(schema),
  }));
}
