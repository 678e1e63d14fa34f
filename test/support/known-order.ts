import type { MenuDocument } from '../../src/menus/menu';

/** Places of what `before` does not have are not among the changes: these come last, and sorted. */
export function inKnownOrder(menu: object, before: MenuDocument): unknown {
  const lists = new Map<string, ReadonlySet<string>>();
  const orderOf = (path: string, value: unknown): unknown => {
    if (Array.isArray(value)) {
      const members = value.map((member): [string, unknown] => [idOf(member), member]);
      const known = lists.get(path);
      const seen = new Map<string, number>();
      const keyed = members.map(([id, member]): [string, unknown] => {
        const occurrence = seen.get(id) ?? 0;
        seen.set(id, occurrence + 1);
        return [`${occurrence} ${id}`, orderOf(`${path}/${id}`, member)];
      });
      if (!known) return keyed.map(([, member]) => member);
      const rest = keyed
        .filter(([key]) => !known.has(key))
        .toSorted(([a], [b]) => (a < b ? -1 : 1));
      return [...keyed.filter(([key]) => known.has(key)), ...rest].map(([, member]) => member);
    }
    if (typeof value !== 'object' || value === null) return value;
    const fields = Object.entries(value).flatMap(([name, member]) => {
      const made = orderOf(`${path}/${name}`, member);
      return isAbsent(made) ? [] : [[name, made] as const];
    });
    return Object.fromEntries(fields);
  };
  collectLists('', before, lists);
  return orderOf('', menu);
}

function collectLists(path: string, value: unknown, lists: Map<string, ReadonlySet<string>>): void {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) {
    for (const [name, member] of Object.entries(value)) {
      collectLists(`${path}/${name}`, member, lists);
    }
    return;
  }
  const seen = new Map<string, number>();
  const keys = value.map((member) => {
    const id = idOf(member);
    const occurrence = seen.get(id) ?? 0;
    seen.set(id, occurrence + 1);
    collectLists(`${path}/${id}`, member, lists);
    return `${occurrence} ${id}`;
  });
  lists.set(path, new Set(keys));
}

function isAbsent(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

function idOf(element: unknown): string {
  if (typeof element !== 'object' || element === null) return String(element);
  const { identifier, external_id, item_external_id, modifier_group_external_id, day_of_week } =
    element as Record<string, unknown>;
  const id =
    identifier ?? external_id ?? item_external_id ?? modifier_group_external_id ?? day_of_week;
  return typeof id === 'string' ? id : JSON.stringify(element);
}
