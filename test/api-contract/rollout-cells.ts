import { act, type EndpointCells, field, PAGE, read, write } from './cell-table';
import { MENU_SENTENCES } from './menu-sentences';

const MISSING = { 404: ['The rollout was not found.'] };

function list(name: string, words: string, most: number): string[] {
  return field(
    name,
    `The ${words} field is required.`,
    `The ${words} must be an array.`,
    `The ${words} may not have more than ${most} items.`,
  );
}

function number(name: string, words: string): string[] {
  return field(name, `The ${words} must be a number.`, `The selected ${words} is invalid.`);
}

function idOfTarget(name: string, words: string): string[] {
  return field(
    `targets.VALUE.${name}`,
    `The ${words} field is required.`,
    `The ${words} must be a string.`,
    `The ${words} may not be greater than 255 characters.`,
  );
}

export const ROLLOUT_CELLS: readonly EndpointCells[] = [
  write('/menus/rollouts', {
    202: ['Rollout started.'],
    400: ['The request body has too many values.'],
    409: [...MENU_SENTENCES, 'There are VALUE more errors.', 'There is 1 more error.'],
    422: [
      ...list('targets', 'targets', 1_000),
      ...field(
        'targets.VALUE',
        'The targets field is required.',
        'The targets must be an object.',
        'The target is repeated.',
      ),
      ...idOfTarget('store_id', 'store id'),
      ...idOfTarget('integration_id', 'integration id'),
      ...number('parallel', 'parallel'),
      ...number('stop_after_failures', 'stop after failures'),
      ...list('menus', 'menus', 20),
      ...list('categories', 'categories', 2_000),
      ...list('items', 'items', 10_000),
      ...list('modifier_groups', 'modifier groups', 5_000),
    ],
  }),
  read('/menus/rollouts', {
    200: ['Success.'],
    422: [...field('state', 'The selected state is invalid.'), ...PAGE],
  }),
  read('/menus/rollouts/{rollout_id}', { ...MISSING, 200: ['Success.'] }),
  read('/menus/rollouts/{rollout_id}/targets', {
    ...MISSING,
    200: ['Success.'],
    422: [...field('state', 'The selected state is invalid.'), ...PAGE],
  }),
  act('/menus/rollouts/{rollout_id}/cancel', {
    ...MISSING,
    200: ['Success.'],
    409: ['The rollout can no longer be canceled.'],
  }),
  act('/menus/rollouts/{rollout_id}/revert', {
    ...MISSING,
    202: ['Rollout revert started.'],
    409: ['The rollout is still running.', 'The rollout was already reverted.'],
  }),
];
