import type { EntityLossCode, Loss } from './types';

interface LossRule {
  readonly severity: Loss['severity'];
  /** Without the POS id, with which every sentence ends. `subject` is `menu`, `modifier group` and so on. */
  readonly sentence: (subject: string, detail: string) => string;
}

/** A loss has the same severity and wording in every app, because integrators match on both. */
export const LOSS_RULES: Readonly<Record<EntityLossCode, LossRule>> = {
  item_schedule_ignored: {
    severity: 'warn',
    sentence: () => 'The item schedules are not supported by this delivery',
  },
  menu_schedule_ignored: {
    severity: 'warn',
    sentence: () => 'The menu schedules are not supported by this delivery',
  },
  days_merged: {
    severity: 'warn',
    sentence: (subject, detail) =>
      `The ${subject} is available at the same times every day, ${detail}`,
  },
  promotion_price_ignored: {
    severity: 'warn',
    sentence: (subject) => `The ${subject} promotion price is not supported by this delivery`,
  },
  promotion_price_invalid: {
    severity: 'warn',
    sentence: (subject) => `The ${subject} promotion price must be at least 1% below the price`,
  },
  zero_price_refused: {
    severity: 'block',
    sentence: (subject) =>
      `The ${subject} is sold at 0 and none of its options costs anything, which this delivery refuses`,
  },
  sold_for_nothing: {
    severity: 'warn',
    sentence: (subject) =>
      `The ${subject} is sold at 0 and none of its options costs anything, so guests get it for nothing`,
  },
  second_menu_refused: {
    severity: 'block',
    sentence: () => 'Only one menu is supported by this delivery',
  },
  option_quantity_ignored: {
    severity: 'warn',
    sentence: (subject) => `The ${subject} data option quantity is not supported by this delivery`,
  },
  group_quantity_cloned: {
    severity: 'info',
    sentence: (subject) => `The ${subject} is copied for the items with a quantity of their own`,
  },
  tax_not_representable: {
    severity: 'warn',
    sentence: (subject) => `The ${subject} tax is not one that this delivery can show`,
  },
  available_late: {
    severity: 'warn',
    sentence: (subject) =>
      `The ${subject} is on sale from its approval until this delivery is told that it is not`,
  },
  season_by_timer: {
    severity: 'info',
    sentence: (subject) =>
      `The ${subject} is shown as sold out, not hidden, on days on which it is not on sale`,
  },
  free_quantity_split: {
    severity: 'warn',
    sentence: (subject) =>
      `The ${subject} is shown as two, so a guest can take what costs something while free ones are left`,
  },
  item_price_conflict_in_menu: {
    severity: 'warn',
    sentence: (subject, detail) =>
      `The ${subject} has several prices in one menu and the first is used, ${detail}`,
  },
  text_cut: { severity: 'warn', sentence: (subject, detail) => `The ${subject} ${detail}` },
  name_empty: {
    severity: 'block',
    sentence: (subject) => `The ${subject} name has nothing that this delivery can show`,
  },
  markup_in_text: {
    severity: 'info',
    sentence: (subject, detail) =>
      `The ${subject} has HTML in its ${detail}, which guests may see as it is written`,
  },
  emoji_removed: {
    severity: 'warn',
    sentence: (subject, detail) => `The ${subject} is shown without the emoji of its ${detail}`,
  },
  description_dropped: {
    severity: 'warn',
    sentence: (subject) => `The ${subject} description is not supported by this delivery`,
  },
  image_out_of_rules: {
    severity: 'warn',
    sentence: (subject, detail) => `The ${subject} image ${detail}`,
  },
  image_not_checked: {
    severity: 'warn',
    sentence: (subject, detail) => `The ${subject} image ${detail}`,
  },
  short_hours: {
    severity: 'block',
    sentence: (subject, detail) =>
      `The ${subject} must be available for at least 60 minutes at a time, ${detail}`,
  },
  no_hours: {
    severity: 'block',
    sentence: (subject) => `The ${subject} must have at least one period in the week`,
  },
  price_over_maximum: {
    severity: 'block',
    sentence: (subject, detail) =>
      `The ${subject} price must not be above the maximum of this delivery, ${detail}`,
  },
  price_not_representable: {
    severity: 'block',
    sentence: (subject, detail) =>
      `The ${subject} price has decimals that ${detail || 'the currency'} does not have`,
  },
  id_unsafe: {
    severity: 'warn',
    sentence: (subject) => `The ${subject} id has a character that disturbs later calls about it`,
  },
  repeated_reference_dropped: {
    severity: 'warn',
    sentence: (subject, detail) =>
      `The ${subject} refers to one entity several times and the first is used, ${detail}`,
  },
  item_category_dropped: {
    severity: 'warn',
    sentence: (subject) =>
      `The ${subject} is in several categories and stays in the first of them only`,
  },
  nested_groups_dropped: {
    severity: 'warn',
    sentence: (subject, detail) =>
      `The ${subject} has no modifier groups where it is an option, which drops ${detail}`,
  },
  required_choice_dropped: {
    severity: 'warn',
    sentence: () => 'The delivery cannot ask for a required choice',
  },
  choice_impossible: {
    severity: 'warn',
    sentence: (subject) => `The ${subject} can not be answered, so its items can not be ordered`,
  },
  option_cloned: {
    severity: 'info',
    sentence: (subject) => `The ${subject} is copied for the places where it is an option`,
  },
  limit_exceeded: {
    severity: 'block',
    sentence: (subject, detail) => `The ${subject} is over a limit of this delivery, ${detail}`,
  },
  entity_unused: {
    severity: 'info',
    sentence: (subject, detail) =>
      `The ${subject} ${detail || 'is not used by any menu'} and was left out`,
  },
  integration_not_configured: {
    severity: 'block',
    sentence: () => 'Microservice does not have this integration configured',
  },
};
