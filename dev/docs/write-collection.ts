import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createOpenApiDocument } from '../../src/openapi/document';
import { ROUTES } from '../../src/run/routes';

export const COLLECTION = join(
  __dirname,
  '../../clients/collection/pos-integrations.postman_collection.json',
);

interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly example?: string;
  /** Of a parameter of the query. */
  readonly schema?: { readonly examples?: readonly (string | number)[] };
}

interface Operation {
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly security: readonly object[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: { 'application/json': { readonly example: object } } };
}

/** Variables for the reader's own values: set once, used by every request. `npm start` creates these. */
const OWN: Readonly<Record<string, string>> = {
  baseUrl: 'http://127.0.0.1:3000',
  token: '',
  store_id: '1',
  integration_id: '2',
};

/**
 * Every operation of the description as a collection in Postman's format 2.1, which Postman, Bruno, Insomnia and Hoppscotch
 * import. Ids are variables of the collection; parts of a query that may be left out are switched off.
 */
export function collectionText(): string {
  const { info, tags, paths } = createOpenApiDocument(ROUTES);
  const operations = Object.entries(paths as unknown as Record<string, Record<string, Operation>>)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
    )
    // Only a delivery app can sign them.
    .filter(({ operation }) => !operation.tags.includes('Callbacks'));
  const ids = operations.flatMap(({ operation }) =>
    parametersIn('path', operation).map(({ name, example = '' }) => [name, example] as const),
  );
  const variables = { ...Object.fromEntries(ids), ...OWN };
  const collection = {
    info: {
      name: info.title,
      description: info.description,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{token}}', type: 'string' }] },
    variable: Object.entries(variables).map(([key, value]) => ({ key, value })),
    item: tags.flatMap(({ name, description }) => {
      const item = operations
        .filter(({ operation }) => operation.tags.includes(name))
        .map((each) => requestOf(each, variables));
      return item.length === 0 ? [] : [{ name, description, item }];
    }),
  };
  return `${JSON.stringify(collection, null, 2)}\n`;
}

interface Described {
  readonly path: string;
  readonly method: string;
  readonly operation: Operation;
}

function requestOf({ path, method, operation }: Described, variables: object) {
  const { summary, description = '', security, requestBody } = operation;
  const at = path.replaceAll('{', '{{').replaceAll('}', '}}');
  const query = parametersIn('query', operation).map((parameter) => ({
    key: parameter.name,
    value: valueIn(variables, parameter),
    description: parameter.description,
    ...(parameter.required ? {} : { disabled: true }),
  }));
  const asked = query.flatMap((each) => ('disabled' in each ? [] : [`${each.key}=${each.value}`]));
  const body = requestBody?.content['application/json'].example;
  return {
    name: summary,
    request: {
      method: method.toUpperCase(),
      ...(security.length === 0 ? { auth: { type: 'noauth' } } : {}),
      header: body === undefined ? [] : [{ key: 'Content-Type', value: 'application/json' }],
      url: {
        raw: `{{baseUrl}}${at}${asked.length === 0 ? '' : `?${asked.join('&')}`}`,
        host: ['{{baseUrl}}'],
        path: at.split('/').slice(1),
        ...(query.length === 0 ? {} : { query }),
      },
      ...(body === undefined ? {} : { body: { mode: 'raw', raw: bodyText(body, variables) } }),
      description,
    },
  };
}

/** The reader's own value, or what a parameter that is required has as its example. */
function valueIn(variables: object, { name, required, schema }: Parameter): string {
  if (name in variables) return `{{${name}}}`;
  return required ? String(schema?.examples?.[0] ?? '') : '';
}

function parametersIn(where: string, { parameters = [] }: Operation): readonly Parameter[] {
  return parameters.filter((each) => each.in === where);
}

/** The example with variables for the reader's ids: only at the top level, because lists name several of a kind. */
function bodyText(example: object, variables: object): string {
  const own = Object.entries(example).map(([key, value]: [string, unknown]) => {
    if (!(key in variables)) return [key, value];
    return [key, typeof value === 'number' ? `<${key}>` : `{{${key}}}`];
  });
  const text = JSON.stringify(Object.fromEntries(own), null, 2);
  // A number has no quotes, and neither has its variable.
  return text.replaceAll(/"<(\w+)>"/g, '{{$1}}');
}

if (require.main === module) writeFileSync(COLLECTION, collectionText());
