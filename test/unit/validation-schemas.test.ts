import * as inventorySystem from '../../schemas/inventory-system';
import * as lists from '../../schemas/lists';
import * as menuUpload from '../../schemas/menu-upload';
import * as posEvents from '../../schemas/pos-events';
import * as store from '../../schemas/store';
import * as webhook from '../../schemas/webhook';

const SCHEMAS = Object.entries({
  ...inventorySystem,
  ...lists,
  ...menuUpload,
  ...posEvents,
  ...store,
  ...webhook,
});

function keywordsOf(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([key, value]) => [key, ...keywordsOf(value)]);
}

test.each(SCHEMAS)(
  '%s checks no list, so a full check costs the same for every body',
  (_, schema) => {
    const keywords = keywordsOf(schema.properties).filter((key) => !(key in schema.properties));
    expect(keywords).not.toContain('items');
    expect(keywords).not.toContain('prefixItems');
    expect(keywords).not.toContain('contains');
    expect(keywords).not.toContain('uniqueItems');
  },
);

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
