import { DELIVERY_ID, UPLOAD_ID } from './examples';
import type { JsonSchema, Operation } from './operation';
import { fieldDescription, publicSchema } from './public-schema';

const ref = (name: string): JsonSchema => ({ $ref: `#/components/parameters/${name}` });

/** Ids in paths: whatever is none is answered 404, so nothing more is said of their form. */
const PATH_EXAMPLES: Readonly<Record<string, string>> = {
  store_id: '1',
  integration_id: '3',
  upload_id: UPLOAD_ID,
  delivery_id: DELIVERY_ID,
};

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
    description: 'Echoed, logged, and kept with what the request made. Made up where absent.',
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
export function parametersOf(operation: Operation): readonly JsonSchema[] {
  return [
    ...pathParameters(operation),
    ...queryParameters(operation),
    ...(operation.headers ?? []).map(ref),
    ...(isRepeatable(operation) ? [ref('IdempotencyKey')] : []),
    ...(operation.access === 'token' ? [ref('RequestId')] : []),
  ];
}

/** A POST of ours: it takes an idempotency key. */
export function isRepeatable({ method, access }: Operation): boolean {
  return method === 'post' && access === 'token';
}

function pathParameters({ path }: Operation): readonly JsonSchema[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    description: fieldDescription(name),
    schema: { type: 'string', minLength: 1 },
    example: PATH_EXAMPLES[name],
  }));
}

function queryParameters({ query }: Operation): readonly JsonSchema[] {
  return Object.entries(query?.properties ?? {}).map(([name, schema]) => ({
    name,
    in: 'query',
    required: query?.required?.includes(name) ?? false,
    description: fieldDescription(name),
    schema: publicSchema(schema),
  }));
}
