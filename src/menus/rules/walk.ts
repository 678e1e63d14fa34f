import { LIMITS } from '../../../schemas/limits';
import { firstCodePoints } from '../../platform/text/clean-text';
import { isBlank } from '../../platform/text/blank';
import { shownMissing, shownValue } from '../../platform/validation/shown-value';
import { hintOf } from './hint-of';
import { createLookAlikes, type FindLookAlike, lookAlikeHint } from './look-alike';
import { collectProblems, type MenuProblem, type ProblemCollector } from './menu-problems';
import type { MenuCheckOptions, MenuList, MenuRule } from './rule';

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
  /** ms since epoch */
  readonly now: number;
  readonly menus: IdIndex;
  readonly categories: IdIndex;
  readonly items: IdIndex;
  readonly groups: IdIndex;
  readonly problems: ProblemCollector;
  /** Some option is an item with groups of its own: only then a cycle is possible. */
  hasNestedGroups: boolean;
  i: number;
  j: number;
  k: number;
}

/** `items`: what an id of an item may name, if not the items of the body. */
export function startWalk(
  body: MenuBody,
  options: MenuCheckOptions,
  items = indexIds(body.items, 'external_id'),
): Walk {
  const walk: Walk = {
    body,
    acceptEqualQuantities: options.equalQuantities === 'accept',
    acceptZeroPrices: options.zeroPrices === 'accept',
    now: Date.now(),
    menus: indexIds(body.menus, 'identifier'),
    categories: indexIds(body.categories, 'external_id'),
    items,
    groups: indexIds(body.modifier_groups, 'external_id'),
    problems: collectProblems((rule) => describe(rule, walk, lookAlikes)),
    hasNestedGroups: false,
    i: 0,
    j: 0,
    k: 0,
  };
  const lookAlikes = {
    menus: createLookAlikes(walk.menus),
    categories: createLookAlikes(walk.categories),
    items: createLookAlikes(walk.items),
    modifier_groups: createLookAlikes(walk.groups),
  };
  return walk;
}

export function report(walk: Walk, rule: MenuRule, value?: string): void {
  walk.problems.add(rule, value);
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

/** Where the rule is broken, and what problem+json says about it. */
function describe(
  rule: MenuRule,
  walk: Walk,
  lookAlikes: Readonly<Record<MenuList, FindLookAlike>>,
): Omit<MenuProblem, 'code' | 'sentence'> {
  const path = pathOf(rule.where, walk);
  const holder = path.slice(0, -1).reduce<unknown>(memberOf, walk.body);
  const found = memberOf(holder, path.at(-1) ?? '');
  const externalId = externalIdOf(path, walk.body);
  // The value of a whole entity is its place, which the pointer and the id say.
  const shown = rule.code === 'required' ? shownMissing : shownValue;
  const value = path.length > 2 ? shown(found) : undefined;
  const hint = hintOf(rule, found, holder) ?? nearMiss(rule, found, lookAlikes);
  return {
    pointer: `/${path.join('/')}`,
    ...(externalId !== undefined && { externalId }),
    ...(value !== undefined && { value }),
    ...(hint !== undefined && { hint }),
  };
}

/** The names and indexes on the way to the place of a rule. */
function pathOf(where: string, { i, j, k }: Walk): readonly string[] {
  const indexes = [i, j, k];
  return where
    .split('/')
    .slice(1)
    .map((part) => (part === '*' ? String(indexes.shift()) : part));
}

/** Only own members: a list has no `constructor`. */
function memberOf(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return Reflect.get(value, key);
}

/** The POS id of the entity in which the place is, if it has one. */
export function externalIdOf(path: readonly string[], body: MenuBody): string | undefined {
  const entity = path.slice(0, 2).reduce<unknown>(memberOf, body);
  const id = memberOf(entity, path[0] === 'menus' ? 'identifier' : 'external_id');
  const shown = typeof id === 'string' ? firstCodePoints(id, LIMITS.id) : '';
  return isBlank(shown) ? undefined : shown;
}

function nearMiss(
  { refersTo }: MenuRule,
  value: unknown,
  lookAlikes: Readonly<Record<MenuList, FindLookAlike>>,
): string | undefined {
  if (refersTo === undefined || typeof value !== 'string') return undefined;
  const id = lookAlikes[refersTo](value);
  return id === undefined ? undefined : lookAlikeHint(id);
}
