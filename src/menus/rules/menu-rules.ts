import { LIMITS } from '../../../schemas/limits';
import { AVAILABILITY_RULES } from './availability-rules';
import { DETAIL_RULES } from './detail-rules';
import { put, rule, remove, type MenuRule } from './rule';
import {
  entryReference,
  object,
  optionalText,
  ownId,
  reference,
  repeated,
  requiredList,
  requiredText,
} from './menu-sentences';
import { groupQuantityRules, priceRules, quantityRules } from './price-rules';
import { scheduleRules } from './schedule-rules';
import { SEASON_RULES } from './season-rules';

/**
 * Every rule of a menu: the walk reports them, `docs/menu-rules.md` prints them, and the tests break each one. Their
 * order is the order of the messages within an entity.
 */
export const MENU_RULES = {
  menu: {
    notObject: object('The menu', '/menus/*'),
    name: requiredText({
      subject: 'The menu',
      words: 'name',
      where: '/menus/*/name',
      maxLength: LIMITS.name,
    }),
    description: optionalText({
      subject: 'The menu',
      words: 'description',
      where: '/menus/*/description',
      maxLength: LIMITS.description,
    }),
    categoryIds: {
      ...requiredList('The menu', 'categories external ids', '/menus/*/category_external_ids'),
      tooMany: rule(
        'too_many',
        '/menus/*/category_external_ids',
        `The menu categories external ids may not have more than ${LIMITS.categoriesOfMenu} items.`,
        put(
          '/menus/*/category_external_ids',
          Array.from({ length: LIMITS.categoriesOfMenu + 1 }, () => 'C1'),
        ),
      ),
    },
    categoryId: entryReference(
      'The menu category',
      '/menus/*/category_external_ids/*',
      LIMITS.id,
      'categories',
    ),
    schedules: requiredList('The menu', 'schedules', '/menus/*/schedules'),
    schedule: scheduleRules('menu'),
    identifier: {
      ...requiredText({
        subject: 'The menu',
        words: 'identifier',
        where: '/menus/*/identifier',
        maxLength: LIMITS.id,
      }),
      repeated: repeated('The menu', 'identifier', '/menus', '/menus/*/identifier'),
    },
  },

  category: {
    notObject: object('The category', '/categories/*'),
    externalId: ownId('The category', '/categories', LIMITS.id),
    name: requiredText({
      subject: 'The category',
      words: 'name',
      where: '/categories/*/name',
      maxLength: LIMITS.name,
    }),
    description: optionalText({
      subject: 'The category',
      words: 'description',
      where: '/categories/*/description',
      maxLength: LIMITS.description,
    }),
    dataItems: requiredList('The category', 'data items', '/categories/*/data_items'),
    dataItem: {
      notObject: object('The category data item', '/categories/*/data_items/*'),
      itemId: reference(
        'The category data item',
        '/categories/*/data_items/*/item_external_id',
        LIMITS.id,
        'items',
      ),
      price: priceRules('The category data item', '/categories/*/data_items/*/price'),
    },
  },

  item: {
    notObject: object('The item', '/items/*'),
    externalId: ownId('The item', '/items', LIMITS.id),
    name: requiredText({
      subject: 'The item',
      words: 'name',
      where: '/items/*/name',
      maxLength: LIMITS.name,
    }),
    description: optionalText({
      subject: 'The item',
      words: 'description',
      where: '/items/*/description',
      maxLength: LIMITS.description,
    }),
    imageUrl: optionalText({
      subject: 'The item',
      words: 'image url',
      where: '/items/*/image_url',
      maxLength: LIMITS.url,
    }),
    schedulesNotArray: rule(
      'not_array',
      '/items/*/schedules',
      'The item schedules must be an array.',
      put('/items/*/schedules', 'always'),
    ),
    schedule: scheduleRules('item'),
    priceRequired: rule(
      'required',
      '/items/*/price',
      'The item must have a price.',
      remove('/items/*/price'),
    ),
    price: priceRules('The item', '/items/*/price'),
    dataGroups: requiredList('The item', 'data modifier groups', '/items/*/data_modifier_groups'),
    dataGroup: {
      notObject: object('The item data modifier group', '/items/*/data_modifier_groups/*'),
      groupId: reference(
        'The item data modifier group',
        '/items/*/data_modifier_groups/*/modifier_group_external_id',
        LIMITS.id,
        'modifier_groups',
      ),
      quantity: groupQuantityRules(
        'The item data modifier group',
        '/items/*/data_modifier_groups/*/quantity',
      ),
    },
    availability: AVAILABILITY_RULES,
    season: SEASON_RULES,
    details: DETAIL_RULES,
  },

  modifierGroup: {
    notObject: object('The modifier group', '/modifier_groups/*'),
    externalId: ownId('The modifier group', '/modifier_groups', LIMITS.id),
    name: requiredText({
      subject: 'The modifier group',
      words: 'name',
      where: '/modifier_groups/*/name',
      maxLength: LIMITS.name,
    }),
    quantity: groupQuantityRules('The modifier group', '/modifier_groups/*/quantity'),
    options: {
      ...requiredList('The modifier group', 'data options', '/modifier_groups/*/data_options'),
      tooMany: rule(
        'too_many',
        '/modifier_groups/*/data_options',
        `The modifier group data options may not have more than ${LIMITS.optionsOfGroup} items.`,
        put(
          '/modifier_groups/*/data_options',
          Array.from({ length: LIMITS.optionsOfGroup + 1 }, () => ({ item_external_id: 'I1' })),
        ),
      ),
    },
    option: {
      notObject: object('The modifier group data option', '/modifier_groups/*/data_options/*'),
      itemId: reference(
        'The modifier group data option',
        '/modifier_groups/*/data_options/*/item_external_id',
        LIMITS.id,
        'items',
      ),
      price: priceRules(
        'The modifier group data option',
        '/modifier_groups/*/data_options/*/price',
      ),
      quantity: quantityRules(
        'The modifier group data option',
        '/modifier_groups/*/data_options/*/quantity',
      ),
    },
    cycle: rule(
      'cycle',
      '/modifier_groups/*',
      'The modifier groups contain a cycle: VALUE',
      put('/items/-', {
        external_id: 'CYCLE-ITEM',
        name: 'Combo of combos',
        price: { value: '1030' },
        data_modifier_groups: [{ modifier_group_external_id: 'CYCLE-GROUP' }],
      }),
      put('/modifier_groups/-', {
        external_id: 'CYCLE-GROUP',
        name: 'Choose your combo',
        quantity: { min_quantity: '0', max_quantity: '1' },
        data_options: [{ item_external_id: 'CYCLE-ITEM' }],
      }),
    ),
  },
} as const;

/** The table as a flat list, in its order. */
export const ALL_MENU_RULES: readonly MenuRule[] = flatten(MENU_RULES);

function flatten(branch: object): MenuRule[] {
  return Object.values(branch).flatMap((entry: unknown) => {
    if (typeof entry !== 'object' || entry === null) return [];
    return isRule(entry) ? [entry] : flatten(entry);
  });
}

function isRule(entry: object): entry is MenuRule {
  return 'sentence' in entry && 'example' in entry;
}
