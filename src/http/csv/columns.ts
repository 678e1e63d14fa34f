import { ANSWER_SCHEMAS } from '../../contract/answer-schemas';
import type { JsonSchema } from '../../contract/answers';

/** Where a column's value is in an entry: the names of its members, from the outside. */
export type Column = readonly string[];

const SCHEMAS: Readonly<Record<string, JsonSchema>> = ANSWER_SCHEMAS;

/** The columns of a list whose entries have this schema: one for each member, those of inner objects too. */
export function columnsOf(entry: JsonSchema, path: Column = []): readonly Column[] {
  const { properties } = resolve(entry);
  if (typeof properties !== 'object' || properties === null) return [path];
  return Object.entries(properties as Readonly<Record<string, JsonSchema>>).flatMap(
    ([name, member]) => columnsOf(member, [...path, name]),
  );
}

/** The schema that is meant; of one that may be null as well, the other. */
function resolve(schema: JsonSchema): JsonSchema {
  const { $ref, anyOf } = schema;
  if (typeof $ref === 'string') return resolve(SCHEMAS[$ref.split('/').at(-1) ?? ''] ?? {});
  if (!Array.isArray(anyOf)) return schema;
  const [only, ...others] = (anyOf as readonly JsonSchema[]).filter(({ type }) => type !== 'null');
  return only !== undefined && others.length === 0 ? resolve(only) : schema;
}
