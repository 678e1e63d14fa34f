import { LIMITS } from '../../../schemas/limits';
import { firstCodePoints } from '../../platform/text/clean-text';
import { collectProblems, type ProblemCollector, type ProblemPlace } from './menu-problems';
import type { MenuCheckOptions, MenuRule } from './rule';

/** The four lists of an upload before their content is checked. */
export interface MenuBody {
  readonly menus: readonly unknown[];
  readonly categories: readonly unknown[];
  readonly items: readonly unknown[];
  readonly modifier_groups: readonly unknown[];
}

/** Id → index of the first entity that has it. A Map, because `__proto__` and `constructor` are valid ids. */
export type IdIndex = ReadonlyMap<string, number>;

/**
 * The state of one walk over one menu. `i`, `j`, `k` are the indexes for the `*`s in a rule's place: setting three
 * numbers is cheaper than building a pointer, so a valid menu costs no allocation.
 */
export interface Walk {
  readonly body: MenuBody;
  readonly acceptEqualQuantities: boolean;
  readonly acceptZeroPrices: boolean;
  readonly menus: IdIndex;
  readonly categories: IdIndex;
  readonly items: IdIndex;
  readonly groups: IdIndex;
  readonly problems: ProblemCollector;
  readonly place: ProblemPlace;
  /** Some option is an item with groups of its own: only then a cycle is possible. */
  hasNestedGroups: boolean;
  i: number;
  j: number;
  k: number;
}

export function startWalk(body: MenuBody, options: MenuCheckOptions): Walk {
  const walk: Walk = {
    body,
    acceptEqualQuantities: options.equalQuantities === 'accept',
    acceptZeroPrices: options.zeroPrices === 'accept',
    menus: indexIds(body.menus, 'identifier'),
    categories: indexIds(body.categories, 'external_id'),
    items: indexIds(body.items, 'external_id'),
    groups: indexIds(body.modifier_groups, 'external_id'),
    problems: collectProblems(),
    place: {
      pointer: (rule) => pointerOf(rule.where, walk),
      externalId: (rule) => externalIdOf(rule.where, walk),
    },
    hasNestedGroups: false,
    i: 0,
    j: 0,
    k: 0,
  };
  return walk;
}

export function report(walk: Walk, rule: MenuRule, value?: string): void {
  walk.problems.add(rule, walk.place, value);
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Last to first, so that the first of equal ids stays: one Map operation per entity instead of two. */
function indexIds(entities: readonly unknown[], key: string): IdIndex {
  const index = new Map<string, number>();
  for (let i = entities.length - 1; i >= 0; i--) {
    const entity = entities[i];
    const id = isObject(entity) ? entity[key] : undefined;
    if (typeof id === 'string') index.set(id, i);
  }
  return index;
}

function pointerOf(where: string, { i, j, k }: Walk): string {
  const indexes = [i, j, k];
  return where.replace(/\*/g, () => String(indexes.shift()));
}

function externalIdOf(where: string, { body, i }: Walk): string | undefined {
  const entity = where.startsWith('/menus/')
    ? body.menus[i]
    : where.startsWith('/categories/')
      ? body.categories[i]
      : where.startsWith('/items/')
        ? body.items[i]
        : body.modifier_groups[i];
  if (!isObject(entity)) return undefined;
  const id = where.startsWith('/menus/') ? entity['identifier'] : entity['external_id'];
  return typeof id === 'string' && id !== '' ? firstCodePoints(id, LIMITS.id) : undefined;
}
