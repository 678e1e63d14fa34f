import { list, number, target, text, type Wrong } from './wrong-rows';

/** Possible errors in the body of a rollout, except for the rules of its menu. */
export const WRONG_ROLLOUTS: readonly Wrong[] = [
  ...list('targets'),
  ...target(
    Array.from({ length: 1_001 }, (_, store_id) => ({ store_id, integration_id: 1 })),
    'targets',
    'The targets may not have more than 1000 items.',
  ),
  ...target([null], 'targets.0', 'The targets field is required.'),
  ...target([7], 'targets.0', 'The targets must be an object.'),
  ...target([{ store_id: 1 }], 'targets.0.integration_id', 'The integration id field is required.'),
  ...target([{ integration_id: 1 }], 'targets.0.store_id', 'The store id field is required.'),
  ...['store_id', 'integration_id'].flatMap((name) =>
    text(name, 255)
      .filter(([, value]) => value !== 7)
      .flatMap(([, value, sentence]) =>
        target([{ store_id: 1, integration_id: 1, [name]: value }], `targets.0.${name}`, sentence),
      ),
  ),
  ...target(
    [
      { store_id: 1, integration_id: '2' },
      { store_id: '1', integration_id: 2 },
    ],
    'targets.1',
    'The target is repeated.',
  ),
  ...number('parallel', 51),
  ...number('stop_after_failures', 1_001),
  ...list('menus', 20),
  ...list('categories', 2_000),
  ...list('items', 10_000),
  ...list('modifier_groups', 5_000, true),
];
