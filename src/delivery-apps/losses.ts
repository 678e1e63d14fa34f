import { BOUNDS } from '../platform/config/bound-table';
import { quoteValue } from '../platform/text/quote-value';
import type { EntityLossCode, ImageVerdict, Loss } from './types';

const KINDS = ['menu', 'category', 'item', 'modifier_group'] as const;
type EntityKind = (typeof KINDS)[number];

/** An entity of the request: its list, its index there and its POS id. */
export interface EntityRef {
  readonly kind: EntityKind;
  readonly index: number;
  readonly externalId: string;
}

/** Where a field stands: the pointer of its entity, and the POS id of the nearest entity that has one. */
interface FieldPlace {
  readonly pointer: string;
  readonly externalId: string | null;
}

/** The number of losses of each severity, including omitted ones. */
export type LossCounts = Readonly<Record<Loss['severity'], number>>;

export interface LossBook {
  /** Adds a loss; only the first per entity and code counts. `detail` becomes part of the code's sentence. */
  add(code: EntityLossCode, entity: EntityRef, detail?: string): void;
  /** Adds an `unknown_field`: a field of some entities, of which the first is given. Each counts. */
  addField(first: FieldPlace, detail: string): void;
  /**
   * At most 1,000, the most severe first, and within a severity in the order in which they were found; followed by
   * `losses_omitted` if there are more.
   */
  list(): readonly Loss[];
  counts(): LossCounts;
}

/**
 * Losses that an upload stores. A menu of 10 MB can have 100,000 losses, which is 20 MB in its row, and people rarely
 * read past the first hundred.
 */
export const MAX_LOSSES = BOUNDS.losses.limit;

const SEVERITIES = ['block', 'warn', 'info'] as const;

const LISTS: Readonly<Record<EntityKind, string>> = {
  menu: 'menus',
  category: 'categories',
  item: 'items',
  modifier_group: 'modifier_groups',
};

/** JSON pointer of an entity in the request body. */
function pointerTo(entity: EntityRef): string {
  return `/${LISTS[entity.kind]}/${entity.index}`;
}

interface LossRule {
  readonly severity: Loss['severity'];
  /** Without the POS id, with which every sentence ends. `subject` is `menu`, `modifier group` and so on. */
  readonly sentence: (subject: string, detail: string) => string;
}

/** A loss has the same severity and wording in every app, because integrators match on both. */
const RULES: Readonly<Record<EntityLossCode, LossRule>> = {
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

/** Ends the sentence "The item image …". */
export const IMAGE_SENTENCES: Readonly<Record<ImageVerdict, string>> = {
  not_https: 'must be served over SSL',
  wrong_format: 'must be a JPEG, PNG or GIF',
  too_large: 'must be under 10 MB',
  wrong_size: 'must be between 320 and 1144 pixels wide and high',
  unreadable: 'could not be read',
  not_checked: 'could not be checked',
};

/** Reports that an image is left out, and why. */
export function addImageLoss(losses: LossBook, entity: EntityRef, verdict: ImageVerdict): void {
  const code = verdict === 'not_checked' ? 'image_not_checked' : 'image_out_of_rules';
  losses.add(code, entity, IMAGE_SENTENCES[verdict]);
}

export function createLossBook(): LossBook {
  const kept: Record<Loss['severity'], Loss[]> = { block: [], warn: [], info: [] };
  const counts = { block: 0, warn: 0, info: 0 };
  const seen = new Map<EntityLossCode, Set<number>>();

  function keep(loss: Omit<Loss, 'message'>, message: () => string): void {
    const { severity } = loss;
    counts[severity] += 1;
    // The list may consist of a single severity; beyond its length losses are only counted.
    if (kept[severity].length < MAX_LOSSES) kept[severity].push({ ...loss, message: message() });
  }

  return {
    addField({ pointer, externalId }, detail) {
      const loss = {
        code: 'unknown_field',
        severity: 'warn',
        pointer,
        external_id: externalId,
      } as const;
      keep(loss, () => `The field is not part of a menu and was ignored: ${detail}`);
    },
    add(code, entity, detail = '') {
      if (!isFirst(seen, code, entity)) return;
      const { severity, sentence } = RULES[code];
      const { externalId } = entity;
      keep(
        { code, severity, pointer: pointerTo(entity), external_id: externalId },
        () => `${sentence(entity.kind.replace('_', ' '), detail)}: ${quoteValue(externalId)}`,
      );
    },
    list() {
      const found = SEVERITIES.flatMap((severity) => kept[severity]).slice(0, MAX_LOSSES);
      const omitted = counts.block + counts.warn + counts.info - found.length;
      return omitted === 0 ? found : [...found, lossesOmitted(omitted)];
    },
    counts: () => ({ ...counts }),
  };
}

/** Numbers rather than texts, because there may be one for each code and entity. */
function isFirst(
  seen: Map<EntityLossCode, Set<number>>,
  code: EntityLossCode,
  { kind, index }: EntityRef,
): boolean {
  const entities = seen.get(code) ?? new Set<number>();
  seen.set(code, entities);
  const size = entities.size;
  entities.add(index * KINDS.length + KINDS.indexOf(kind));
  return entities.size > size;
}

function lossesOmitted(count: number): Loss {
  return {
    code: 'losses_omitted',
    severity: 'info',
    pointer: '',
    external_id: null,
    message: `${count} more losses were left out.`,
  };
}
