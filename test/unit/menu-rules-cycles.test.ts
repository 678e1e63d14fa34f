import fc from 'fast-check';
import { checkMenu } from '../../src/menus/rules/check-menu';
import { EXAMPLE_MENU } from '../../src/menus/rules/example-menu';

/** Group n offers the items of `edges[n]`; item m brings the groups of `groupsOfItem[m]`. */
function menuOf(
  edges: readonly (readonly number[])[],
  groupsOfItem: readonly (readonly number[])[],
) {
  return {
    ...EXAMPLE_MENU,
    categories: [{ external_id: 'C1', name: 'All', data_items: [] }],
    items: groupsOfItem.map((groups, m) => ({
      external_id: `I${m}`,
      name: 'Item',
      price: { value: '100' },
      data_modifier_groups: groups.map((n) => ({ modifier_group_external_id: `G${n}` })),
    })),
    modifier_groups: edges.map((items, n) => ({
      external_id: `G${n}`,
      name: 'Group',
      quantity: { min_quantity: '0', max_quantity: '1' },
      data_options: items.map((m) => ({ item_external_id: `I${m}` })),
    })),
  };
}

function cyclesIn(menu: ReturnType<typeof menuOf>): string[] {
  const verdict = checkMenu(menu, { equalQuantities: 'refuse' });
  const found = verdict.ok ? [] : verdict.problems.shown;
  expect(found.every(({ code }) => code === 'cycle')).toBe(true);
  return found.map(({ externalId = '' }) => externalId);
}

test('nesting without a cycle passes, even if paths meet again', () => {
  expect(cyclesIn(menuOf([[0, 1], [2], [2]], [[1], [2], []]))).toEqual([]);
});

test('an item that offers itself is a cycle', () => {
  expect(cyclesIn(menuOf([[0]], [[0]]))).toEqual(['G0']);
});

test('a cycle is named once, after its first group in document order', () => {
  // G2 → I0 → G1 → I1 → G2, entered from G0.
  expect(cyclesIn(menuOf([[1], [1], [0]], [[1], [2]]))).toEqual(['G1']);
});

test('each separate cycle is named, in document order', () => {
  expect(cyclesIn(menuOf([[0], [1], [0], [1]], [[2], [3], []]))).toEqual(['G2', 'G3']);
  expect(cyclesIn(menuOf([[2, 3], [1], [0], [3]], [[2], [1], [], []]))).toEqual(['G1', 'G2']);
});

test.each([false, true])(
  'a chain of 5,000 groups is walked without recursion (closed: %s)',
  (closed) => {
    const length = 5000;
    const numbers = Array.from({ length }, (_, n) => n);
    const next = numbers.map((n) => (n + 1 < length ? [n + 1] : closed ? [0] : []));
    expect(
      cyclesIn(
        menuOf(
          numbers.map((n) => [n]),
          next,
        ),
      ),
    ).toEqual(closed ? ['G0'] : []);
  },
);

test('groups are named exactly when they can reach themselves', () => {
  const size = 5;
  const some = fc.uniqueArray(fc.nat(size - 1), { minLength: 1, maxLength: 2 });
  const few = fc.uniqueArray(fc.nat(size - 1), { maxLength: 1 });
  const lists = fc.tuple(
    fc.array(some, { minLength: size, maxLength: size }),
    fc.array(few, { minLength: size, maxLength: size }),
  );
  fc.assert(
    fc.property(lists, ([edges, groupsOfItem]) => {
      const next = edges.map((items) => items.flatMap((m) => groupsOfItem[m] ?? []));
      const reach = next.map((_, n) => reachable(next, n));
      const first = next.flatMap((_, n) => {
        const inCycle = reach[n]?.has(n) ?? false;
        const earlier = next.findIndex((__, m) => reach[n]?.has(m) && reach[m]?.has(n));
        return inCycle && earlier === n ? [`G${n}`] : [];
      });
      expect(cyclesIn(menuOf(edges, groupsOfItem))).toEqual(first);
    }),
    { numRuns: 500 },
  );
});

function reachable(next: readonly (readonly number[])[], from: number): Set<number> {
  const seen = new Set<number>();
  const open = [...(next[from] ?? [])];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (seen.has(node)) continue;
    seen.add(node);
    open.push(...(next[node] ?? []));
  }
  return seen;
}
