/** The members by which the menu form and the four apps tell the elements of a list apart. */
const IDS = [
  'external_id',
  'identifier',
  'item_external_id',
  'modifier_group_external_id',
  'id',
  'sku',
  'item_id',
  'app_menu_id',
  'app_category_id',
  'app_item_id',
  'app_modifier_group_id',
] as const;

type Json = Readonly<Record<string, unknown>>;

/**
 * What `after` has that `before` has not: of lists whose elements have ids the new and changed ones, of such an element
 * its id and what changed, and anything else as a whole. Undefined if nothing did.
 */
export function changedParts(before: unknown, after: unknown): unknown {
  if (JSON.stringify(before) === JSON.stringify(after)) return undefined;
  if (isListWithIds(before) && isListWithIds(after)) return changedElements(before, after);
  return after;
}

/** The same of two objects, member by member. */
export function changedMembers(before: Json, after: Json): Json {
  return Object.fromEntries(
    Object.entries(after).flatMap(([name, value]) => {
      const changed = changedParts(before[name], value);
      return changed === undefined ? [] : [[name, changed]];
    }),
  );
}

function changedElements(before: readonly Json[], after: readonly Json[]): unknown {
  const known = new Map(before.map((element) => [idOf(element), element]));
  const changed = after.flatMap((element) => {
    const earlier = known.get(idOf(element));
    if (!earlier) return [element];
    const members = changedMembers(earlier, element);
    return Object.keys(members).length === 0 ? [] : [{ ...idMember(element), ...members }];
  });
  // Only the order, or what is missing: then the whole list says it.
  return changed.length === 0 ? after.map(idMember) : changed;
}

function isListWithIds(value: unknown): value is readonly Json[] {
  return (
    Array.isArray(value) &&
    value.every((element) => isObject(element) && idOf(element) !== undefined)
  );
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function idMember(element: Json): Json {
  const name = IDS.find((id) => typeof element[id] === 'string');
  return name === undefined ? {} : { [name]: element[name] };
}

function idOf(element: Json): unknown {
  return Object.values(idMember(element))[0];
}
