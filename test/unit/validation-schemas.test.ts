import * as availability from '../../schemas/availability';
import * as inventorySystem from '../../schemas/inventory-system';
import * as lists from '../../schemas/lists';
import * as menuPreview from '../../schemas/menu-preview';
import * as menuRollout from '../../schemas/menu-rollout';
import * as menuUpload from '../../schemas/menu-upload';
import * as platformEvents from '../../schemas/platform-events';
import * as posEvents from '../../schemas/pos-events';
import * as store from '../../schemas/store';
import * as webhook from '../../schemas/webhook';
import { createValidator } from '../../src/platform/validation/validation';

type BodySchema = { readonly properties: Readonly<Record<string, object>> };

const SCHEMAS = Object.entries<unknown>({
  ...availability,
  ...inventorySystem,
  ...lists,
  ...menuPreview,
  ...menuRollout,
  ...menuUpload,
  ...platformEvents,
  ...posEvents,
  ...store,
  ...webhook,
}).filter(
  (entry): entry is [string, BodySchema] =>
    typeof entry[1] === 'object' && entry[1] !== null && 'properties' in entry[1],
);

function keywordsOf(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([key, value]) => [key, ...keywordsOf(value)]);
}

/** Every list in a schema, however deep, whose elements it checks. */
function checkedLists(schema: unknown): readonly object[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const inner = Object.values(schema).flatMap(checkedLists);
  return 'items' in schema && 'type' in schema ? [schema, ...inner] : inner;
}

test.each(SCHEMAS)('%s checks the elements of short lists only', (_, schema) => {
  for (const list of checkedLists(schema)) {
    expect(list).toHaveProperty('maxItems', expect.any(Number));
    expect((list as { maxItems: number }).maxItems).toBeLessThanOrEqual(1_000);
  }
  const keywords = keywordsOf(schema.properties).filter((key) => !(key in schema.properties));
  expect(keywords).not.toContain('prefixItems');
  expect(keywords).not.toContain('contains');
  expect(keywords).not.toContain('uniqueItems');
});

const MANY = Array.from({ length: 80_000 }, () => ({}));

test.each([
  ['items', availability.availabilitySchema, { store_id: 1 }, 500],
  ['integration_ids', availability.storePauseSchema, {}, 100],
  [
    'targets',
    menuRollout.menuRolloutSchema,
    { menus: [1], categories: [1], items: [1], modifier_groups: [] },
    1_000,
  ],
])('of %s that are too many no element is checked', (field, schema, others, most) => {
  const validate = createValidator(schema);
  const before = process.cpuUsage();
  expect(validate({ ...others, [field]: MANY })).toEqual({
    ok: false,
    errors: [
      {
        code: 'too_many',
        pointer: `/${field}`,
        detail: `The ${field.replace('_', ' ')} may not have more than ${most} items.`,
      },
    ],
  });
  // All elements took half a second of the processor, and no other process counts.
  expect(process.cpuUsage(before).user).toBeLessThan(100_000);
  const atMost = validate({ ...others, [field]: MANY.slice(0, most) });
  expect(atMost.ok ? 0 : atMost.errors.length).toBeGreaterThanOrEqual(most);
});

/** The records of item data have only the bounds of their body. */
const BOUNDED = SCHEMAS.filter(([name]) => name !== 'inventoryItemsEventSchema');

test.each(BOUNDED)('%s bounds every string and list', (_, schema) => {
  for (const field of Object.values<object>(schema.properties)) {
    const keywords = new Set(keywordsOf(field));
    const types = 'type' in field ? [field.type].flat() : [];
    const bounded = ['maxLength', 'maxItems', 'pattern', 'enum', 'format'].some((key) =>
      keywords.has(key),
    );
    expect(bounded || !types.some((type) => type === 'string' || type === 'array')).toBe(true);
  }
});
