import type { PostgresType } from 'postgres';

/** Element type → array type, of the types in `pg_type` whose numbers never change. */
const ARRAY_OF: Readonly<Record<number, number>> = {
  16: 1000, // boolean
  17: 1001, // bytea
  20: 1016, // int8
  21: 1005, // int2
  23: 1007, // int4
  25: 1009, // text
  26: 1028, // oid
  114: 199, // json
  700: 1021, // float4
  701: 1022, // float8
  1043: 1015, // varchar
  1082: 1182, // date
  1114: 1115, // timestamp
  1184: 1185, // timestamptz
  1700: 1231, // numeric
  2950: 2951, // uuid
  3802: 3807, // jsonb
};

/**
 * The array types of these. The library can ask the server for them (`fetch_types`), but nothing handles a failure of
 * that query: a connection lost during it ends the process. It also costs a round trip each time.
 */
export function arrayTypesOf(
  elements: Readonly<Record<string, PostgresType<unknown>>>,
): Record<string, PostgresType<unknown>> {
  const arrays = Object.values(elements).flatMap((element) =>
    element.from.map((type) => {
      const array = ARRAY_OF[type];
      if (array === undefined) throw new Error(`no array type is known for ${type}`);
      return [`array${array}`, arrayType(array, element)] as const;
    }),
  );
  return Object.fromEntries(arrays);
}

/** The array type of a JavaScript value, for `sql.array`, where nothing else determines it. Text by default. */
export function arrayTypeFor(value: unknown): number {
  if (typeof value === 'boolean') return 1000;
  if (value instanceof Date) return 1185;
  if (value instanceof Uint8Array) return 1001;
  return 1009;
}

function arrayType(type: number, element: PostgresType<unknown>): PostgresType<unknown> {
  return {
    to: type,
    from: [type],
    // A string is a finished literal: the library binds the same parameters twice when a plan is stale.
    serialize: (value: unknown) => (typeof value === 'string' ? value : toLiteral(value, element)),
    parse: (raw: string) => fromLiteral(raw, element),
  };
}

function toLiteral(value: unknown, element: PostgresType<unknown>): string {
  if (value === null || value === undefined) return 'null';
  if (!Array.isArray(value)) return quoted(String(element.serialize(value)));
  let members = '';
  for (const each of value) members += `${members === '' ? '' : ','}${toLiteral(each, element)}`;
  return `{${members}}`;
}

/** What JSON writes with a backslash and an array literal does not. Also found behind `\\`, which does no harm. */
const ONLY_IN_JSON = /\\[bfnrtu]/;

function quoted(text: string): string {
  if (!text.includes('"') && !text.includes('\\')) return `"${text}"`;
  // Twice as fast as replacing, and payloads are full of quotes.
  const json = JSON.stringify(text);
  return ONLY_IN_JSON.test(json) ? `"${text.replaceAll(/["\\]/g, '\\$&')}"` : json;
}

/** One token of a literal: a brace, a quoted element, or a bare one up to the next comma or brace. */
const TOKEN = /[{}]|"((?:[^"\\]|\\.)*)"|[^,{}"]+/gsu;

function fromLiteral(raw: string, element: PostgresType<unknown>): unknown {
  const root: unknown[] = [];
  const open = [root];
  // Bounds other than 1 come first: `[2:3]={a,b}`.
  for (const [token, inQuotes] of raw.slice(raw.indexOf('{')).matchAll(TOKEN)) {
    const current = open.at(-1) ?? root;
    if (token === '{') {
      const inner: unknown[] = [];
      current.push(inner);
      open.push(inner);
    } else if (token === '}') open.pop();
    else if (inQuotes !== undefined)
      current.push(element.parse(inQuotes.replaceAll(/\\(.)/gsu, '$1')));
    else current.push(token === 'NULL' ? null : element.parse(token));
  }
  return root[0];
}
