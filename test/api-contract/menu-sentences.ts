/** The sentences about menus. Written out by hand: the table in the code is made from families of rules. */
const MENU = [
  'The menu must be an object.',
  'The menu must have a name.',
  'The menu name must be a string.',
  'The menu name may not be greater than 255 characters.',
  'The menu description must be a string.',
  'The menu description may not be greater than 2000 characters.',
  'The menu must have categories external ids.',
  'The menu categories external ids must be an array.',
  'The menu categories external ids may not have more than 100 items.',
  'The menu category external id must be a string.',
  'The menu category external id may not be greater than 255 characters.',
  'The menu category external id does not exist: VALUE',
  'The menu must have schedules.',
  'The menu schedules must be an array.',
  ...scheduleSentences('menu'),
  'The menu must have an identifier.',
  'The menu identifier must be a string.',
  'The menu identifier may not be greater than 255 characters.',
  'The menu identifier is repeated: VALUE',
];

const CATEGORY = [
  'The category must be an object.',
  'The category must have an external id.',
  'The category external id must be a string.',
  'The category external id may not be greater than 255 characters.',
  'The category external id is repeated: VALUE',
  'The category must have a name.',
  'The category name must be a string.',
  'The category name may not be greater than 255 characters.',
  'The category description must be a string.',
  'The category description may not be greater than 2000 characters.',
  'The category must have data items.',
  'The category data items must be an array.',
  'The category data item must be an object.',
  'The category data item must have an external id.',
  'The category data item external id must be a string.',
  'The category data item external id may not be greater than 255 characters.',
  'The category data item external id does not exist: VALUE',
  ...priceSentences('category data item'),
];

const ITEM = [
  'The item must be an object.',
  'The item must have an external id.',
  'The item external id must be a string.',
  'The item external id may not be greater than 255 characters.',
  'The item external id is repeated: VALUE',
  'The item must have a name.',
  'The item name must be a string.',
  'The item name may not be greater than 255 characters.',
  'The item description must be a string.',
  'The item description may not be greater than 2000 characters.',
  'The item image url must be a string.',
  'The item image url may not be greater than 2048 characters.',
  'The item schedules must be an array.',
  ...scheduleSentences('item'),
  'The item must have a price.',
  ...priceSentences('item'),
  'The item must have data modifier groups.',
  'The item data modifier groups must be an array.',
  'The item data modifier group must be an object.',
  'The item data modifier group must have an external id.',
  'The item data modifier group external id must be a string.',
  'The item data modifier group external id may not be greater than 255 characters.',
  'The item data modifier group external id does not exist: VALUE',
  ...quantitySentences('item data modifier group'),
  ...freeQuantitySentences('item data modifier group'),
];

const MODIFIER_GROUP = [
  'The modifier group must be an object.',
  'The modifier group must have an external id.',
  'The modifier group external id must be a string.',
  'The modifier group external id may not be greater than 255 characters.',
  'The modifier group external id is repeated: VALUE',
  'The modifier group must have a name.',
  'The modifier group name must be a string.',
  'The modifier group name may not be greater than 255 characters.',
  ...quantitySentences('modifier group'),
  ...freeQuantitySentences('modifier group'),
  'The modifier group must have data options.',
  'The modifier group data options must be an array.',
  'The modifier group data options may not have more than 500 items.',
  'The modifier group data option must be an object.',
  'The modifier group data option must have an external id.',
  'The modifier group data option external id must be a string.',
  'The modifier group data option external id may not be greater than 255 characters.',
  'The modifier group data option external id does not exist: VALUE',
  ...priceSentences('modifier group data option'),
  ...quantitySentences('modifier group data option'),
  'The modifier groups contain a cycle: VALUE',
];

function priceSentences(place: string): string[] {
  return [
    'The item price must be an object.',
    'The item price free mark must be a boolean.',
    'The item must have a price value.',
    'The item price value must be a string.',
    'The item price value must be greater than 0.',
    'The item price value must be 0 when the price is free.',
    'The item promotion price value must be a string.',
    'The item promotion price value must be greater than 0.',
    'The item promotion price value must not be sent when the price is free.',
  ].map((sentence) => sentence.replace('item', place));
}

function quantitySentences(place: string): string[] {
  return [
    'The item quantity must be an object.',
    'The item exact quantity value must be a string.',
    'The item exact quantity value must be greater than 0.',
    'The item must have either an exact quantity value or min and max quantity values.',
    'The item must have a min quantity value.',
    'The item min quantity value must be a string.',
    'The item min quantity value must not be less than 0.',
    'The item must have a max quantity value.',
    'The item max quantity value must be a string.',
    'The item max quantity value must be greater than 0.',
    'The item max quantity value must be greater than the min quantity value.',
  ].map((sentence) => sentence.replace('item', place));
}

function freeQuantitySentences(place: string): string[] {
  return [
    'The item free quantity value must be a string.',
    'The item free quantity value must not be less than 0.',
    'The item free quantity value must not be greater than the max quantity value.',
  ].map((sentence) => sentence.replace('item', place));
}

function scheduleSentences(owner: 'menu' | 'item'): string[] {
  return [
    'The menu schedule must be an object.',
    'The menu schedule must have a day of week.',
    'The day of the week of this menu schedule must be a string.',
    'The day of the week of this menu schedule is not valid: VALUE',
    'The menu schedule must have periods.',
    'The menu schedule periods must be an array.',
    'The menu schedule period must be an object.',
    'The menu schedule period must have a start time.',
    'The menu schedule period start time must be a string.',
    'The menu schedule period start time does not have a valid format.',
    'The menu schedule period must have an end time.',
    'The menu schedule period end time must be a string.',
    'The menu schedule period end time does not have a valid format.',
    'The menu schedule period start time must be before the end time, VALUE',
    'Collisions were found between the periods defined for the menu schedule.',
  ].map((sentence) => sentence.replace('menu', owner));
}

/** Every sentence about the content of a menu, in the order of the rules; `VALUE` stands for the sent value. */
export const MENU_SENTENCES: readonly string[] = [...MENU, ...CATEGORY, ...ITEM, ...MODIFIER_GROUP];
