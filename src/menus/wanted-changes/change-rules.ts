import { LIMITS } from '../../../schemas/limits';
import { MENU_RULES } from '../rules/menu-rules';
import { object, requiredText } from '../rules/menu-sentences';
import { priceRules } from '../rules/price-rules';
import { rule } from '../rules/rule';

const { name, description, imageUrl, priceRequired, price, notObject } = MENU_RULES.item;
const BY_MENU = '/items/*/prices_by_menu';
const OPTION = 'The modifier group data option';

function requiredId(subject: string, words: string, where: string) {
  return requiredText({ subject, words, where, maxLength: LIMITS.id });
}

/** The rules of a menu, at their places in a request that changes single items, and those of the request itself. */
export const CHANGE_RULES = {
  item: {
    notObject,
    externalId: requiredId('The item', 'external id', '/items/*/external_id'),
    name,
    description,
    imageUrl,
    priceRequired,
    price,
    menuPrices: {
      notArray: rule('not_array', BY_MENU, 'The item prices by menu must be an array.'),
      tooMany: rule(
        'too_many',
        BY_MENU,
        `The item prices by menu may not have more than ${LIMITS.menus} items.`,
      ),
    },
    menuPrice: {
      notObject: object('The item price by menu', `${BY_MENU}/*`),
      identifier: requiredId('The menu', 'identifier', `${BY_MENU}/*/identifier`),
      price: priceRules('The category data item', `${BY_MENU}/*/price`),
    },
    nothingToChange: rule('required', '/items/*', 'The item must have something to change: VALUE'),
  },
  option: {
    notObject: object(OPTION, '/options/*'),
    groupId: requiredId(
      'The modifier group',
      'external id',
      '/options/*/modifier_group_external_id',
    ),
    itemId: requiredId(OPTION, 'external id', '/options/*/item_external_id'),
    price: priceRules(OPTION, '/options/*/price'),
    nothingToChange: rule(
      'required',
      '/options/*',
      `${OPTION} must have something to change: VALUE`,
    ),
  },
} as const;
