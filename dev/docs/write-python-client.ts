import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonSchema } from '../../src/contract/answers';
import { createOpenApiDocument } from '../../src/openapi/document';
import { ROUTES } from '../../src/run/routes';
import { createPythonTypes, pascal, type PythonTypes } from './python-types';

const FOLDER = join(__dirname, '../../clients/python/pos_integrations');
const NOTE = '# Written by npm run clients from /openapi.json; do not edit.\n';

interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: JsonSchema;
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: { 'application/json': { schema: JsonSchema } } };
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { schema: JsonSchema }>> }>
  >;
}

/** The generated files of the Python client, by their paths: a method for each operation, and the types of JSON. */
export function pythonFiles(): Readonly<Record<string, string>> {
  const { paths, components } = createOpenApiDocument(ROUTES);
  const types = createPythonTypes();
  for (const [name, schema] of Object.entries(components.schemas)) types.declare(name, schema);
  const methods = Object.entries(paths as unknown as Record<string, Record<string, Operation>>)
    .flatMap(([path, each]) =>
      Object.entries(each).map(([method, operation]) => ({ path, method, operation })),
    )
    // Only a delivery app can sign them.
    .filter(({ operation }) => !operation.tags.includes('Callbacks'))
    .map(({ path, method, operation }) => methodOf(path, method, operation, types));
  return {
    [join(FOLDER, 'operations.py')]: `${NOTE}${OPERATIONS_HEAD}\n${methods.join('\n')}`,
    [join(FOLDER, 'types.py')]: `${NOTE}${TYPES_HEAD}\n\n${types.text()}\n`,
  };
}

const OPERATIONS_HEAD = `"""Every operation of the API but those that delivery apps call."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal

from .answers import Answer

if TYPE_CHECKING:
    from . import types


class Operations:
    """
    \`key\` is the \`Idempotency-Key\`: made for each call, so that its repeats are safe. Pass your own, 1 to 255 printable
    ASCII characters without blanks, to be safe across restarts of your program.
    """

    # The client's: it sends the request, and repeats it.
    _call: Callable[..., Answer[Any]]
`;

const TYPES_HEAD = `"""JSON of requests, answers and webhooks."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict
`;

function methodOf(path: string, method: string, operation: Operation, types: PythonTypes): string {
  const { operationId, summary, description = '', parameters = [], requestBody } = operation;
  const body = requestBody?.content['application/json'].schema['$ref'];
  const isKeyed = parameters.some(({ $ref }) => $ref?.endsWith('/IdempotencyKey'));
  const prefers = parameters.some(({ $ref }) => $ref?.endsWith('/Prefer'));
  const ids = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
  const query = parameters.filter((each) => each.in === 'query');
  const needed = query.filter(({ required }) => required);
  const others = query.filter(({ required }) => !required);
  const typeOfQuery = ({ name, schema }: Parameter): string =>
    isSwitch(schema) ? 'bool' : types.typeOf(schema, pascal(operationId) + pascal(name));
  const named = [
    ...needed.map((each) => `${each.name}: ${typeOfQuery(each)}`),
    ...others.map((each) => `${each.name}: ${typeOfQuery(each)} | None = None`),
    ...(prefers ? ['prefer: Literal["respond-async"] | None = None'] : []),
    ...(isKeyed ? ['key: str | None = None'] : []),
  ];
  const given = [
    'self',
    ...ids.map((id) => `${id}: int | str`),
    ...(typeof body === 'string' ? [`body: types.${body.split('/').at(-1)}`] : []),
    ...(named.length > 0 ? ['*', ...named] : []),
  ];
  const parts = [
    JSON.stringify(method.toUpperCase()),
    JSON.stringify(path),
    ...(ids.length > 0 ? [`ids={${ids.map(entry).join(', ')}}`] : []),
    ...(query.length > 0 ? [`query={${query.map(({ name }) => entry(name)).join(', ')}}`] : []),
    ...(typeof body === 'string' ? ['body=body'] : []),
    ...(isKeyed ? ['keyed=True', 'key=key'] : []),
    ...(prefers ? ['headers={"prefer": prefer}'] : []),
  ];
  return [
    `    def ${snake(operationId)}(`,
    ...given.map((each) => `        ${each},`),
    `    ) -> Answer[${answerOf(operation, types)}]:`,
    `        """${`${summary}. ${description}`.trim().replaceAll(/\n(?=.)/g, '\n        ')}"""`,
    `        return self._call(${parts.join(', ')})`,
    '',
  ].join('\n');
}

const entry = (name: string): string => `"${name}": ${name}`;

/** A text that says yes or no, which a caller has as a boolean. */
function isSwitch({ enum: values }: JsonSchema): boolean {
  return Array.isArray(values) && values.join() === 'true,false';
}

/** The types of the good answers, each declared under the name of the operation. */
function answerOf({ operationId, responses }: Operation, types: PythonTypes): string {
  const good = Object.entries(responses).filter(([status]) => /^(2|default)/.test(status));
  const all = good.map(([status, { content = {} }]) => {
    const json = content['application/json'];
    if (!json) return 'str';
    const name = `${pascal(operationId)}Answer${good.length > 1 ? pascal(status) : ''}`;
    types.declare(name, json.schema);
    return `types.${name}`;
  });
  return [...new Set(all)].join(' | ');
}

/** `getUpload` as `get_upload`. */
export function snake(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

if (require.main === module) {
  for (const [file, text] of Object.entries(pythonFiles())) writeFileSync(file, text);
}
