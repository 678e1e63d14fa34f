import type { FromSchema } from 'json-schema-to-ts';
import { menuRolloutSchema } from '../../schemas/menu-rollout';
import { LARGE_BODY, reducedJsonBody } from '../http/body/request-body';
import { ROLLOUT } from '../contract/examples';
import { type CheckedMenu, toCheckedMenu } from '../uploads/checked-menu';
import { menuAsSent } from '../uploads/menu-as-sent';
import { entriesOf } from '../uploads/menu-upload-body';

type RolloutRequest = FromSchema<typeof menuRolloutSchema>;

/** A rollout with the verdict of the menu rules. */
export interface CheckedRollout extends Pick<
  RolloutRequest,
  'targets' | 'parallel' | 'stop_after_failures'
> {
  readonly menu: CheckedMenu;
  /** JSON text of an object, as sent: the members other than the menu's lists, the rollout's fields and a target's. */
  readonly sentBeside: string;
}

const { properties } = menuRolloutSchema;

/** Each target's own ids take the places of the last two: two members of one name would be read as the last. */
const NOT_BESIDE = ['targets', 'parallel', 'stop_after_failures', 'store_id', 'integration_id'];

/** The body of a rollout, and what its handler gets: the menu only as text. */
export const ROLLOUT_BODY = reducedJsonBody<
  typeof menuRolloutSchema,
  RolloutRequest,
  CheckedRollout
>(
  {
    name: 'MenuRollout',
    schema: menuRolloutSchema,
    described: {
      ...menuRolloutSchema,
      properties: {
        ...properties,
        menus: entriesOf(properties.menus, 'Menu'),
        categories: entriesOf(properties.categories, 'Category'),
        items: entriesOf(properties.items, 'Item'),
        modifier_groups: entriesOf(properties.modifier_groups, 'ModifierGroup'),
      },
    },
    maxBytes: LARGE_BODY,
    example: ROLLOUT,
  },
  ({ value, text }, settings) => {
    const { targets, parallel, stop_after_failures } = value;
    const { lists, beside } = menuAsSent(text, NOT_BESIDE);
    return {
      targets: targets.map(({ store_id, integration_id }) => ({ store_id, integration_id })),
      ...(parallel === undefined ? {} : { parallel }),
      ...(stop_after_failures === undefined ? {} : { stop_after_failures }),
      menu: toCheckedMenu(value, lists, settings),
      sentBeside: beside,
    };
  },
);
