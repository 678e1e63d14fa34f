import { createLossBook, MAX_LOSSES } from '../../src/delivery-apps/losses';
import { indexMenu } from '../../src/delivery-apps/menu-index';
import { adapterOf, findDeliveryApp, isAppName } from '../../src/delivery-apps/registry';
import { APP_NAMES } from '../../src/delivery-apps/types';
import { findUsedEntities } from '../../src/delivery-apps/unused-entities';

const ITEM = { kind: 'item', index: 3, externalId: 'I4' } as const;

test('a loss points to its entity and ends with its POS id', () => {
  const losses = createLossBook();
  losses.add('entity_unused', { kind: 'modifier_group', index: 0, externalId: 'G1' });
  expect(losses.list()).toEqual([
    {
      code: 'entity_unused',
      severity: 'info',
      pointer: '/modifier_groups/0',
      external_id: 'G1',
      message: 'The modifier group is not used by any menu and was left out: G1',
    },
  ]);
});

test('only the first loss per entity and code is kept', () => {
  const losses = createLossBook();
  losses.add('limit_exceeded', ITEM, '51 options (at most 50)');
  losses.add('limit_exceeded', ITEM, '501 characters in the id (at most 500)');
  losses.add('promotion_price_ignored', ITEM);
  expect(losses.list().map(({ code }) => code)).toEqual([
    'limit_exceeded',
    'promotion_price_ignored',
  ]);
});

const itemAt = (index: number) => ({ kind: 'item', index, externalId: `I${index}` }) as const;

function severitiesOf(block: number, warn: number, info: number) {
  const losses = createLossBook();
  for (let n = 0; n < info; n++) losses.add('entity_unused', itemAt(n));
  for (let n = 0; n < warn; n++) losses.add('promotion_price_ignored', itemAt(n));
  for (let n = 0; n < block; n++) losses.add('limit_exceeded', itemAt(n), '51 options');
  expect(losses.counts()).toEqual({ block, warn, info });
  return losses.list();
}

test('the most severe losses come first, and within a severity in the order found', () => {
  expect(severitiesOf(1, 2, 1).map(({ severity, external_id }) => [severity, external_id])).toEqual(
    [
      ['block', 'I0'],
      ['warn', 'I0'],
      ['warn', 'I1'],
      ['info', 'I0'],
    ],
  );
});

test('1,000 losses are listed whole; of more, the least severe are left out and counted', () => {
  expect(severitiesOf(300, 300, 400)).toHaveLength(MAX_LOSSES);
  expect(severitiesOf(300, 300, 400).at(-1)?.code).toBe('entity_unused');
  const losses = severitiesOf(300, 500, 700);
  expect(losses).toHaveLength(MAX_LOSSES + 1);
  expect(losses.filter(({ code }) => code === 'entity_unused')).toHaveLength(200);
  expect(losses.at(-1)).toEqual({
    code: 'losses_omitted',
    severity: 'info',
    pointer: '',
    external_id: null,
    message: '500 more losses were left out.',
  });
  expect(severitiesOf(1_001, 0, 0).map(({ severity }) => severity)).toEqual([
    ...Array.from({ length: MAX_LOSSES }, () => 'block'),
    'info',
  ]);
});

test('losses of entities at the same place of different lists are different losses', () => {
  const losses = createLossBook();
  for (const kind of ['menu', 'category', 'item', 'modifier_group'] as const) {
    losses.add('text_cut', { kind, index: 7, externalId: kind }, 'name is cut');
    losses.add('text_cut', { kind, index: 7, externalId: kind }, 'name is cut');
  }
  expect(losses.list().map(({ pointer }) => pointer)).toEqual([
    '/menus/7',
    '/categories/7',
    '/items/7',
    '/modifier_groups/7',
  ]);
});

const item = (id: string, ...groups: string[]) => ({
  external_id: id,
  name: id,
  price: { value: '1' },
  data_modifier_groups: groups.map((group) => ({ modifier_group_external_id: group })),
});
const group = (id: string, ...options: string[]) => ({
  external_id: id,
  name: id,
  quantity: { min_quantity: '0', max_quantity: '1' },
  data_options: options.map((option) => ({ item_external_id: option })),
});

test('entities behind an unreachable one are unreachable, and a cycle is walked once', () => {
  const document = {
    menus: [{ identifier: 'M', name: 'M', category_external_ids: ['C1', 'C9'], schedules: [] }],
    categories: [
      { external_id: 'C1', name: 'c', data_items: [{ item_external_id: 'I1' }] },
      { external_id: 'C2', name: 'c', data_items: [{ item_external_id: 'I3' }] },
    ],
    items: [item('I1', 'G1', 'G9'), item('I2', 'G1'), item('I3', 'G2'), item('I4')],
    modifier_groups: [group('G1', 'I2', 'I9'), group('G2', 'I4')],
  };
  const used = findUsedEntities(document, indexMenu(document));
  expect([...used.categories]).toEqual(['C1']);
  expect([...used.items].toSorted()).toEqual(['I1', 'I2']);
  expect([...used.groups]).toEqual(['G1']);
});

test("App D is known by name but refused with the API's message, unless its setting enables it", () => {
  expect(findDeliveryApp('app-d', { APP_D: 'rappi' })).toMatchObject({ configured: true });
  expect(findDeliveryApp('app-d', { APP_D: 'refuse' })).toMatchObject({
    configured: false,
    reason: 'Microservice does not have this integration configured.',
  });
});

test.each(APP_NAMES)('%s is registered under its own name', (name) => {
  expect(adapterOf(name).name).toBe(name);
});

test('only the names of shipped apps are names of apps', () => {
  expect(['app-a', 'app-d', 'app-z', '', 'toString'].filter(isAppName)).toEqual(['app-a', 'app-d']);
});
