import { BOUNDS } from '../platform/admission/bounds';
import { quoteValue } from '../platform/text/quote-value';
import type { DetailName } from '../menus/details';
import { LOSS_RULES } from './loss-rules';
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
  /** Adds a `detail_ignored`: a member of an item's details. Each counts. */
  addDetail(item: EntityRef, name: DetailName): void;
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

/** Details that a guest, or the law, wants to be told. */
const NEEDED_DETAILS: ReadonlySet<DetailName> = new Set([
  'tax',
  'alcohol',
  'allergens',
  'diets',
  'deposit',
]);

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
    addDetail(item, name) {
      const { externalId } = item;
      const loss = {
        code: 'detail_ignored',
        severity: NEEDED_DETAILS.has(name) ? 'warn' : 'info',
        pointer: `${pointerTo(item)}/details/${name}`,
        external_id: externalId,
      } as const;
      const sentence = `The item details ${name} are not supported by this delivery`;
      keep(loss, () => `${sentence}: ${quoteValue(externalId)}`);
    },
    add(code, entity, detail = '') {
      if (!isFirst(seen, code, entity)) return;
      const { severity, sentence } = LOSS_RULES[code];
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
