import * as inventorySystem from '../../schemas/inventory-system';
import * as lists from '../../schemas/lists';
import * as posEvents from '../../schemas/pos-events';
import * as webhook from '../../schemas/webhook';
import { fieldsOf, refusing } from '../support/field-sentences';

describe('inventory systems', () => {
  test.each([undefined, null, '', '  \t'])('the name %j counts as absent', (name) => {
    const sentences = refusing(inventorySystem.inventorySystemCreateSchema, { name: 'Stock' });
    expect(sentences('name', name)).toEqual(['The name field is required.']);
  });

  test('a name is a string of at most 255 characters', () => {
    const sentences = refusing(inventorySystem.inventorySystemCreateSchema, { name: 'Stock' });
    expect(sentences('name', 7)).toEqual(['The name must be a string.']);
    expect(sentences('name', '🍔'.repeat(255))).toEqual([]);
    expect(sentences('name', 'x'.repeat(256))).toEqual([
      'The name may not be greater than 255 characters.',
    ]);
  });

  test('a link needs both ids and the store’s id in the system', () => {
    expect(fieldsOf(inventorySystem.storeLinkSchema, { store_id: 'x' })).toEqual({
      inventory_system_id: ['The inventory system id field is required.'],
      store_id: ['The selected store id is invalid.'],
      external_store_id: ['The external store id field is required.'],
    });
  });
});

describe('stock updates', () => {
  const stock = {
    external_id: 'I1',
    current_stock: '10',
    quantity: '-1.5',
    date: '2026-11-03',
    movement_type: 1,
  };
  const update = { ...stock, inventory_system_id: 'x', pos_id: '1' };

  test.each([
    [inventorySystem.posStockUpdateSchema, update],
    [posEvents.inventoryStockEventSchema, stock],
  ])('with every field right pass, and every field is required', (schema, good) => {
    expect(fieldsOf(schema, good)).toEqual({});
    for (const field of Object.keys(good)) {
      const required = [`The ${field.replaceAll('_', ' ')} field is required.`];
      expect(refusing(schema, good)(field, undefined)).toEqual(required);
      expect(refusing(schema, good)(field, null)).toEqual(required);
      expect(refusing(schema, good)(field, '')).toEqual(required);
    }
  });

  const sentences = refusing(inventorySystem.posStockUpdateSchema, update);

  test.each(['0', '-0', '123456789012', '0.000001', '-12.5'])('%j is a quantity', (value) => {
    expect(sentences('quantity', value)).toEqual([]);
  });

  test.each(['1,5', '.5', '5.', '1e3', '+1', ' 1', '1234567890123', '0.0000001', 'many', '1\n'])(
    '%j is not a quantity',
    (value) => {
      expect(sentences('quantity', value)).toEqual(['The quantity format is invalid.']);
    },
  );

  test('a number is not a quantity, because it may have lost digits', () => {
    expect(sentences('current_stock', 10)).toEqual(['The current stock must be a string.']);
  });

  test.each([
    '2026-11-03',
    '2024-02-29',
    '2026-11-03T10:15:00Z',
    '2026-11-03T10:15:00.123456Z',
    '2026-11-03T10:15:00-06:00',
    '2026-11-03T10:15:00+0530',
    '2026-11-03T10:15',
    '2026-11-03T10:15:00',
  ])('%j is a date', (date) => {
    expect(sentences('date', date)).toEqual([]);
  });

  test.each([
    '2026-02-30',
    '2025-02-29',
    '2026-13-01',
    '2026-00-10',
    '03/11/2026',
    '2026-11-3',
    '20261103',
    '2026-11-03 10:15:00',
    '2026-11-03T24:00:00Z',
    '2026-11-03T10:15:00+25:00',
    '2026-11-03T',
    '2026-11-03\n',
    'today',
  ])('%j is not a date', (date) => {
    expect(sentences('date', date)).toEqual(['The date format is invalid.']);
  });

  test.each([1, 2, '1', '2'])('%j is a movement type', (type) => {
    expect(sentences('movement_type', type)).toEqual([]);
  });

  test.each([0, 3, '3', '01', 1.5, true, []])('%j is not a movement type', (type) => {
    expect(sentences('movement_type', type)).toEqual(['The selected movement type is invalid.']);
  });
});

test('a type 1 event has three lists, each of which may be empty', () => {
  const schema = posEvents.inventoryItemsEventSchema;
  expect(fieldsOf(schema, { units: [], items: [], suppliers: [] })).toEqual({});
  expect(fieldsOf(schema, { units: {}, items: null })).toEqual({
    units: ['The units must be an array.'],
    items: ['The items field is required.'],
    suppliers: ['The suppliers field is required.'],
  });
});

describe('webhooks', () => {
  const good = { type: '1', inventory_system_id: 'x', url: 'https://stock.example/hook' };
  const sentences = refusing(webhook.webhookManageSchema, good);

  test('have a type, a system and a URL', () => {
    expect(fieldsOf(webhook.webhookManageSchema, good)).toEqual({});
    expect(fieldsOf(webhook.webhookManageSchema, {})).toEqual({
      type: ['The type field is required.'],
      inventory_system_id: ['The inventory system id field is required.'],
      url: ['The url field is required.'],
    });
    expect(sentences('type', 3)).toEqual(['The selected type is invalid.']);
    for (const url of ['stock.example', ' https://stock.example', 'https://stock.\nexample']) {
      expect(sentences('url', url)).toEqual(['The url format is invalid.']);
    }
    expect(sentences('url', `https://x.example/${'x'.repeat(2048)}`)).toEqual([
      'The url may not be greater than 2048 characters.',
    ]);
  });

  test('allow 1 to 200 in flight, if given', () => {
    for (const right of [null, 1, 200]) expect(sentences('max_in_flight', right)).toEqual([]);
    for (const wrong of [0, 201]) {
      expect(sentences('max_in_flight', wrong)).toEqual(['The selected max in flight is invalid.']);
    }
    expect(sentences('max_in_flight', 'many')).toEqual(['The max in flight must be a number.']);
  });

  test('a secret’s grace is at most a week', () => {
    const grace = refusing(webhook.webhookRotateSchema, good);
    for (const right of [null, 0, 604_800]) expect(grace('grace_seconds', right)).toEqual([]);
    for (const wrong of [-1, 604_801]) {
      expect(grace('grace_seconds', wrong)).toEqual(['The selected grace seconds is invalid.']);
    }
  });

  test('are enabled, disabled and tested by type and system', () => {
    expect(fieldsOf(webhook.webhookSelectSchema, { type: 2 })).toEqual({
      inventory_system_id: ['The inventory system id field is required.'],
    });
  });
});

describe('lists', () => {
  test.each([lists.uploadListSchema, lists.deliveryListSchema])('need no filter', (schema) => {
    expect(fieldsOf(schema, {})).toEqual({});
  });

  test.each([
    ['limit', '1', []],
    ['limit', '100', []],
    ['limit', '0', ['The selected limit is invalid.']],
    ['limit', '101', ['The selected limit is invalid.']],
    ['limit', 'ten', ['The limit must be a number.']],
    ['limit', ['1', '2'], ['The limit must be a string.']],
    ['cursor', '', ['The selected cursor is invalid.']],
    ['state', 'superseded', []],
    ['state', 'pending', ['The selected state is invalid.']],
    ['store_id', 'x', ['The selected store id is invalid.']],
  ])('of uploads: %s=%j → %j', (field, value, expected) => {
    expect(refusing(lists.uploadListSchema, {})(field, value)).toEqual(expected);
  });

  test.each([
    ['state', 'pending', []],
    ['state', 'queued', ['The selected state is invalid.']],
    ['type', '2', []],
    ['type', '3', ['The selected type is invalid.']],
  ])('of deliveries: %s=%j → %j', (field, value, expected) => {
    expect(refusing(lists.deliveryListSchema, {})(field, value)).toEqual(expected);
  });

  test('to resend may be filtered, or counted first', () => {
    const sentences = refusing(lists.deliveryResendSchema, {});
    expect(
      fieldsOf(lists.deliveryResendSchema, { type: null, state: null, dry_run: true }),
    ).toEqual({});
    expect(sentences('dry_run', 'yes')).toEqual(['The selected dry run is invalid.']);
    expect(sentences('state', 'lost')).toEqual(['The selected state is invalid.']);
  });
});
