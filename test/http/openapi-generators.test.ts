import type { JsonSchema } from '../../src/contract/answers';
import { document, schemasIn } from '../support/openapi-reader';

/** A schema as text, whatever it says about itself and in whichever order; with or without null. */
function shapeOf(schema: unknown): string {
  return JSON.stringify(schema, (key, value: unknown) => {
    if (key === 'description' && typeof value === 'string') return undefined;
    if (key === 'type' && Array.isArray(value))
      return value.filter((each) => each !== 'null').join();
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  });
}

/** `message` and `data`, with data that has a name. */
function isEnvelope({ properties }: Record<string, unknown>): boolean {
  const { message, data = {}, ...others } = properties as Record<string, JsonSchema>;
  const items = (data['items'] ?? {}) as JsonSchema;
  const forms = Array.isArray(data['anyOf']) ? (data['anyOf'] as JsonSchema[]) : [data, items];
  const isNamed = forms.some(({ $ref }) => $ref !== undefined);
  return (
    message !== undefined &&
    isNamed &&
    Object.keys(others).join() === (data['items'] ? 'next_cursor' : '')
  );
}

// For each of these, generators of clients leave out an operation without an error, or make code that does not compile.
describe('it avoids what breaks generators of clients:', () => {
  const schemas = schemasIn(document);

  test('enums of several types', () => {
    const enums = schemas.filter(({ schema }) => Array.isArray(schema['enum']));
    expect(enums.length).toBeGreaterThan(20);
    const mixed = enums.filter(({ schema: { type, enum: values } }) => {
      const types = new Set((values as unknown[]).map((value) => typeof value));
      return types.size !== 1 || typeof type !== 'string';
    });
    expect(mixed.map(({ at }) => at)).toEqual([]);
  });

  test('arrays without an element type', () => {
    const arrays = schemas.filter(({ schema }) => schema['type'] === 'array');
    expect(arrays.length).toBeGreaterThan(20);
    expect(arrays.filter(({ schema }) => !schema['items']).map(({ at }) => at)).toEqual([]);
  });

  test('a number that may be text, without a form for each', () => {
    const both = schemas.filter(({ schema: { type } }) => {
      const types = Array.isArray(type) ? type : [];
      return types.includes('string') && types.join() !== 'string,null';
    });
    // What only a condition says has no name in code.
    expect(both.map(({ at }) => at).filter((at) => !/\/(if|then)\//.test(at))).toEqual([]);
  });

  test('a pattern without its type', () => {
    const patterns = schemas.filter(({ schema }) => typeof schema['pattern'] === 'string');
    expect(patterns.length).toBeGreaterThan(20);
    expect(patterns.filter(({ schema }) => !schema['type']).map(({ at }) => at)).toEqual([]);
  });

  test('null beside an object that has no name', () => {
    const choices = schemas.flatMap(({ at, schema: { anyOf } }) =>
      Array.isArray(anyOf) ? [{ at, forms: anyOf as JsonSchema[] }] : [],
    );
    const nullable = choices.filter(({ forms }) => forms.some(({ type }) => type === 'null'));
    expect(nullable.length).toBeGreaterThan(5);
    const unnamed = nullable.filter(({ forms }) => forms.some(({ type }) => type === 'object'));
    expect(unnamed.map(({ at }) => at)).toEqual([]);
  });

  test('whole numbers that 32 bits do not hold, called 32 bits wide', () => {
    const large = schemas.filter(
      ({ schema: { type, maximum } }) => type === 'integer' && Number(maximum) > 2 ** 31,
    );
    expect(large.length).toBeGreaterThan(5);
    expect(large.map(({ schema }) => schema['format'])).toEqual(large.map(() => 'int64'));
  });

  test('a schema whose name is what Go calls the maker of another one', () => {
    const names = Object.keys(document.components.schemas);
    expect(names.filter((name) => names.includes(`New${name}`))).toEqual([]);
  });

  test('an object that is written out twice, of which they make two types with nothing in common', () => {
    const objects = schemas.filter(({ schema: { type, properties } }) => {
      const types = Array.isArray(type) ? type : [type];
      return types.includes('object') && properties !== undefined;
    });
    expect(objects.length).toBeGreaterThan(50);
    // The envelope of something that has a name is an operation's own.
    const shapes = objects
      .filter(({ schema }) => !isEnvelope(schema))
      .map(({ at, schema }) => ({
        at,
        shape: shapeOf(schema),
      }));
    const twice = shapes.filter(
      ({ shape }, at) => shapes.findIndex((each) => each.shape === shape) !== at,
    );
    expect(twice.map(({ at }) => at)).toEqual([]);
  });

  test('two schemas with the same name in code, from a component and from another one’s field', () => {
    const components: Readonly<Record<string, JsonSchema>> = document.components.schemas;
    const names = Object.keys(components);
    const inline = Object.entries(components).flatMap(([name, { properties = {} }]) =>
      Object.entries(properties as Readonly<Record<string, JsonSchema>>)
        .filter(([, property]) => property['enum'] !== undefined)
        .map(([field]) => `${name}${field[0]?.toUpperCase()}${field.slice(1)}`),
    );
    expect(inline.filter((name) => names.includes(name))).toEqual([]);
  });
});
