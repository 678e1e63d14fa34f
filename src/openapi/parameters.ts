import type { RouteContract } from '../http/route';
import type { JsonSchema } from '../contract/answers';
import { SYSTEM_ID } from '../contract/examples';
import { DESCRIPTIONS_IN_QUERY } from './field-descriptions';
import { fieldDescription, publicQuerySchema } from './public-schema';

export const REQUEST_ID = 'd4f1c0de-7a52-4c1e-9d57-0c2a6f3b8e11';
/** Has the form of a cursor; a real one comes with the list's answer. */
export const CURSOR = 'bmV4dA';

/** By name; where a state or a type differs between lists, the first one that the list has. */
const QUERY_EXAMPLES: Readonly<Record<string, readonly unknown[]>> = {
  against: ['previous'],
  check_images: ['true'],
  cursor: [CURSOR],
  event: ['MENU_APPROVED'],
  events: ['true'],
  external_id: ['I1'],
  include: ['shown,changes'],
  integration_id: ['2'],
  inventory_system_id: [SYSTEM_ID],
  limit: [25],
  q: ['cafe'],
  receiver_status: [503],
  request_id: [REQUEST_ID],
  since: ['2026-11-28T10:00:00Z'],
  skip_unchanged: ['true'],
  state: ['failed', 'exhausted', 'stopped'],
  store_id: [1],
  type: ['2'],
  until: ['2026-11-29T10:00:00Z'],
};

const ref = (name: string): JsonSchema => ({ $ref: `#/components/parameters/${name}` });

/** Headers that many operations take. */
export const SHARED_PARAMETERS = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'Makes the request repeatable: for 24 hours its first answer is replayed byte for byte. Printable ASCII without blanks.',
    schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,255}$', examples: ['menu-17'] },
  },
  RequestId: {
    name: 'X-Request-Id',
    in: 'header',
    description: 'Echoed, logged, and stored with the rows of the request. Generated if absent.',
    schema: { type: 'string', pattern: '^[\\w-]{1,64}$', examples: [REQUEST_ID] },
  },
  Prefer: {
    name: 'Prefer',
    in: 'header',
    description: '`respond-async` does not wait for the outcome.',
    schema: { type: 'string', enum: ['respond-async'], examples: ['respond-async'] },
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
    description: DESCRIPTIONS_IN_QUERY[name] ?? fieldDescription(name),
    schema: withExample(name, publicQuerySchema(schema)),
  }));
}

/** In the schema: a page that tries the API would fill in the example of a parameter, which would then count. */
function withExample(name: string, schema: JsonSchema): JsonSchema {
  const { enum: values } = schema;
  const example = QUERY_EXAMPLES[name]?.find(
    (each) => !Array.isArray(values) || values.includes(each),
  );
  if (example === undefined) throw new Error(`the parameter ${name} has no example`);
  return { ...schema, examples: [example] };
}
