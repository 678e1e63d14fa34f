import { element, prose } from './element.js';

/** The fields of a schema as a table; what is inside of them folds out below. */
export function schemaView(schema, lookUp) {
  const { properties, required = [] } = resolve(schema, lookUp);
  if (!properties) return element('p', { class: 'limits' }, limitsOf(resolve(schema, lookUp)));
  const rows = Object.entries(properties).map(([name, field]) =>
    fieldRow(name, required.includes(name) ? ['required'] : [], field, lookUp),
  );
  return element(
    'div',
    { class: 'scroll' },
    element(
      'table',
      { class: 'fields' },
      element(
        'thead',
        {},
        element(
          'tr',
          {},
          ...['Field', 'Type', 'What it is'].map((text) => element('th', { scope: 'col' }, text)),
        ),
      ),
      element('tbody', {}, rows),
    ),
    nestedSchemas(properties, lookUp),
  );
}

/** One row for a field or a parameter; `notes` such as `required` stand below its name. */
export function fieldRow(name, notes, field, lookUp) {
  const schema = resolve(field, lookUp);
  const limits = limitsOf(schema);
  const description = field.description ?? schema.description;
  return element(
    'tr',
    {},
    element(
      'th',
      { scope: 'row' },
      element('code', {}, name),
      notes.map((note) => element('span', { class: `note ${note}` }, note)),
    ),
    element('td', {}, typeOf(schema, lookUp)),
    element(
      'td',
      {},
      description ? element('p', {}, prose(description)) : undefined,
      limits ? element('p', { class: 'limits' }, limits) : undefined,
    ),
  );
}

function nestedSchemas(properties, lookUp) {
  return Object.entries(properties).flatMap(([name, field]) => {
    const inner = innerOf(field, lookUp);
    if (!inner?.properties) return [];
    return [foldedSchema(name, field, inner, lookUp)];
  });
}

function foldedSchema(name, field, inner, lookUp) {
  const label = isList(resolve(field, lookUp)) ? `each of ${name}` : name;
  // Made when it is opened: menus go deep, and groups of them refer to the same schemas over and over.
  const details = element(
    'details',
    {
      class: 'nested',
      ontoggle: () => {
        if (!details.open || details.children.length > 1) return;
        if (inner.description) details.append(element('p', {}, prose(inner.description)));
        details.append(schemaView(inner, lookUp));
      },
    },
    element('summary', {}, element('code', {}, label)),
  );
  return details;
}

/** The schema of an entry of a list, of an optional object, or the object itself. */
function innerOf(field, lookUp) {
  const schema = resolve(field, lookUp);
  if (schema.items) return resolve(schema.items, lookUp);
  const choice = schema.anyOf?.find((each) => each.$ref);
  return choice ? resolve(choice, lookUp) : schema;
}

function resolve(schema, lookUp) {
  if (schema.$ref) return resolve(lookUp(schema.$ref), lookUp);
  const [first] = schema.allOf ?? [];
  if (!first?.$ref) return schema;
  const base = resolve(first, lookUp);
  return { ...base, ...schema, properties: { ...base.properties, ...schema.properties } };
}

function isList(schema) {
  return [schema.type].flat().includes('array');
}

function typeOf(schema, lookUp) {
  if (schema.anyOf)
    return schema.anyOf.map((each) => typeOf(resolve(each, lookUp), lookUp)).join(' or ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (!schema.type) return schema.enum ? 'one of' : 'anything';
  return [schema.type]
    .flat()
    .map((type) =>
      type === 'array' && schema.items ? `array of ${itemType(schema, lookUp)}` : type,
    )
    .join(' or ');
}

function itemType(schema, lookUp) {
  const items = resolve(schema.items, lookUp);
  return items.properties ? 'objects' : `${typeOf(items, lookUp)}s`;
}

/** What a value must keep to, in words. */
function limitsOf(schema) {
  const parts = [
    schema.enum && schema.enum.map((value) => JSON.stringify(value)).join(' · '),
    range(schema.minimum, schema.maximum, ''),
    range(schema.minLength, schema.maxLength, ' characters'),
    range(schema.minItems, schema.maxItems, ' entries'),
    ...patternsOf(schema).map((pattern) => `matches ${pattern}`),
    schema.format && `format ${schema.format}`,
  ];
  return parts.filter(Boolean).join('; ');
}

function patternsOf(schema) {
  return [schema, ...(schema.allOf ?? [])].flatMap((each) => (each.pattern ? [each.pattern] : []));
}

function range(least, most, unit) {
  if (least === 1 && most === undefined) return unit === '' ? 'at least 1' : 'not empty';
  if (most !== undefined && least !== undefined) return `${number(least)}–${number(most)}${unit}`;
  if (most !== undefined) return `at most ${number(most)}${unit}`;
  return least === undefined || least === 0 ? undefined : `at least ${number(least)}${unit}`;
}

function number(value) {
  return value.toLocaleString('en');
}
