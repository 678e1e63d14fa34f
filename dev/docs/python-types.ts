import type { JsonSchema } from '../../src/contract/answers';

const COMPONENT = '#/components/schemas/';
const SIMPLE: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
};

/** Types for Python, declared as they are asked for. */
export interface PythonTypes {
  /** Declares the schema under its name. */
  readonly declare: (name: string, schema: JsonSchema) => void;
  /** The expression of a schema's type; objects in it are declared under the name, with that of their field. */
  readonly typeOf: (schema: JsonSchema, name: string) => string;
  /** The declarations, in the order in which they were asked for. */
  readonly text: () => string;
}

/** Collects declarations; asking for two different ones of the same name throws, as one would hide the other. */
export function createPythonTypes(): PythonTypes {
  const declared = new Map<string, string>();

  function add(name: string, text: string): string {
    if (declared.has(name)) throw new Error(`two types are called ${name}`);
    declared.set(name, text);
    return name;
  }

  function typeOf(schema: JsonSchema, name: string): string {
    const { $ref, anyOf, const: only, enum: values, type } = schema;
    if (typeof $ref === 'string') return $ref.replace(COMPONENT, '');
    if (only !== undefined) return literal([only]);
    if (Array.isArray(values)) return literal(values);
    if (Array.isArray(anyOf)) {
      return union(anyOf.map((form: JsonSchema, at) => typeOf(form, at === 0 ? name : name + at)));
    }
    if (Array.isArray(type))
      return union(type.map((each) => typeOf({ ...schema, type: each }, name)));
    if (type === 'array') return `list[${typeOf((schema['items'] ?? {}) as JsonSchema, name)}]`;
    if (type === 'object') return objectOf(schema, name);
    return SIMPLE[String(type)] ?? 'Any';
  }

  function objectOf(schema: JsonSchema, name: string): string {
    const { properties, additionalProperties } = schema;
    if (properties !== undefined) return add(name, classOf(schema, name));
    return typeof additionalProperties === 'object'
      ? `dict[str, ${typeOf(additionalProperties as JsonSchema, `${name}Value`)}]`
      : 'dict[str, Any]';
  }

  function classOf({ properties, required = [], description }: JsonSchema, name: string): string {
    const fields = Object.entries(properties as Readonly<Record<string, JsonSchema>>);
    const lines = fields.flatMap(([field, schema]) => {
      const type = typeOf(schema, name + pascal(field));
      const isRequired = (required as readonly string[]).includes(field);
      return [
        ...(typeof schema['description'] === 'string' ? [`    # ${schema['description']}`] : []),
        `    ${field}: ${isRequired ? type : `NotRequired[${type}]`}`,
      ];
    });
    const summary = typeof description === 'string' ? [`    """${description}"""`, ''] : [];
    return [`class ${name}(TypedDict):`, ...summary, ...lines].join('\n');
  }

  return {
    typeOf,
    declare(name, schema) {
      const type = typeOf(schema, name);
      if (type !== name) add(name, `${name}: TypeAlias = ${JSON.stringify(type)}`);
    },
    text: () => [...declared.values()].join('\n\n\n'),
  };
}

/** `store_id` and `getUpload` as `StoreId` and `GetUpload`. */
export function pascal(name: string): string {
  return name
    .split(/[_\W]+/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('');
}

function literal(values: readonly unknown[]): string {
  return `Literal[${values.map((value) => JSON.stringify(value)).join(', ')}]`;
}

function union(types: readonly string[]): string {
  return [...new Set(types)].join(' | ');
}
