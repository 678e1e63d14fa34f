import type { MenuDocument } from '../menu';
import { checkCategory, checkItem, checkMenuEntity, checkModifierGroup } from './check-entities';
import { findCycles } from './find-cycles';
import type { MenuProblems } from './menu-problems';
import { MENU_RULES } from './menu-rules';
import type { MenuCheckOptions } from './rule';
import { externalIdOf, report, startWalk, type MenuBody, type Walk } from './walk';

export type MenuVerdict =
  | { readonly ok: true; readonly menu: MenuDocument }
  | { readonly ok: false; readonly problems: MenuProblems };

/**
 * Checks the rules inside a menu whose top-level shape is already checked, in one pass and in time linear in its
 * size. Problems come in document order: menus, categories, items, modifier groups, then cycles; each value gives at
 * most one, its first failing check.
 */
export function checkMenu(body: MenuBody, options: MenuCheckOptions): MenuVerdict {
  const walk = startWalk(body, options);
  checkEach(walk, body.menus, checkMenuEntity);
  checkEach(walk, body.categories, checkCategory);
  checkEach(walk, body.items, checkItem);
  checkEach(walk, body.modifier_groups, checkModifierGroup);
  if (walk.hasNestedGroups) reportCycles(walk);

  const problems = walk.problems.result();
  return problems.count === 0 ? { ok: true, menu: asMenuDocument(body) } : { ok: false, problems };
}

function checkEach(
  walk: Walk,
  entities: readonly unknown[],
  check: (walk: Walk, entity: unknown) => void,
): void {
  for (walk.i = 0; walk.i < entities.length; walk.i++) check(walk, entities[walk.i]);
}

function reportCycles(walk: Walk): void {
  for (const group of findCycles(walk.body, walk.groups, walk.items)) {
    walk.i = group;
    const id = externalIdOf(['modifier_groups', String(group)], walk.body);
    report(walk, MENU_RULES.modifierGroup.cycle, id);
  }
}

/** The only place where a body becomes a `MenuDocument`: every member of that type has just been checked. */
function asMenuDocument({ menus, categories, items, modifier_groups }: MenuBody): MenuDocument {
  return { menus, categories, items, modifier_groups } as MenuDocument;
}
