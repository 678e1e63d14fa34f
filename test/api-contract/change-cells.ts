import { INTEGRATIONS } from './availability-cells';
import { type EndpointCells, field, write } from './cell-table';
import { MENU_SENTENCES } from './menu-sentences';

/** What a request that changes single items does not carry. */
const NOT_CHANGED = [
  'data modifier group',
  'schedule',
  'repeated: VALUE',
  'unavailable',
  'available mark',
  'visible from',
  'visible until',
  'bundled item external id does not exist',
];
const REPEATED_DETAILS = ['tax label', 'allergen', 'diet'].map(
  (name) => `The item ${name} is repeated: VALUE`,
);
const ofItems = MENU_SENTENCES.filter(
  (sentence) =>
    sentence.startsWith('The item ') &&
    (REPEATED_DETAILS.includes(sentence) || !NOT_CHANGED.some((each) => sentence.includes(each))),
);
const pricesOf = (place: string) =>
  MENU_SENTENCES.filter((sentence) => new RegExp(`^The ${place} .*price`).test(sentence));
const idOf = (place: string) => [
  `The ${place} must have an external id.`,
  `The ${place} external id must be a string.`,
  `The ${place} external id may not be greater than 255 characters.`,
];

export const CHANGE_CELLS: readonly EndpointCells[] = [
  write('/menus/changes', {
    200: ['Menu changes successfully applied.'],
    202: ['Menu changes in progress.'],
    400: ['The request body has too many values.'],
    409: [
      "You don't have this store available.",
      ...ofItems,
      'The item must have something to change: VALUE',
      'The item prices by menu must be an array.',
      'The item prices by menu may not have more than 20 items.',
      'The item price by menu must be an object.',
      'The menu must have an identifier.',
      'The menu identifier must be a string.',
      'The menu identifier may not be greater than 255 characters.',
      ...pricesOf('category data item'),
      ...idOf('modifier group'),
      'The modifier group data option must be an object.',
      ...idOf('modifier group data option'),
      ...pricesOf('modifier group data option'),
      'The modifier group data option must have something to change: VALUE',
      'There are VALUE more errors.',
      // Behind it come the reasons, and `data` has the changes.
      'Could not change the menu in delivery system.',
    ],
    422: [
      ...field('store_id', 'The store id field is required.', 'The selected store id is invalid.'),
      ...INTEGRATIONS,
      ...field(
        'items',
        'The items field is required.',
        'The items must be an array.',
        'The items may not have more than 500 items.',
      ),
      ...field(
        'options',
        'The options must be an array.',
        'The options may not have more than 500 items.',
        // Beside 300 items.
        'The options may not have more than 200 items.',
      ),
    ],
  }),
];
