import { checkMenu } from '../../src/menus/rules/check-menu';
import { EXAMPLE_MENU } from '../../src/menus/rules/example-menu';
import type { MenuProblems } from '../../src/menus/rules/menu-problems';
import { toSentences } from '../../src/menus/rules/problems-in-answers';
import type { MenuBody } from '../../src/menus/rules/walk';
import { countReads } from '../support/count-reads';
import { sizedMenu } from '../support/sized-menu';

function readsOf(body: MenuBody): number {
  return countReads(body, (watched) => {
    expect(checkMenu(watched, { equalQuantities: 'refuse' }).ok).toBe(true);
  });
}

test.each([210, 630, 4000, 10_000])('a generated menu of %d entities is valid', (entities) => {
  const menu = sizedMenu(entities, 1);
  expect(checkMenu(menu, { equalQuantities: 'refuse' })).toEqual({ ok: true, menu });
  const count = Object.values(menu).reduce((sum: number, list: unknown[]) => sum + list.length, 0);
  expect(count).toBe(entities);
});

test('an id of 255 characters outside the BMP is named in full', () => {
  const id = '🍔'.repeat(255);
  const [group] = EXAMPLE_MENU.modifier_groups;
  const { problems } = checkMenu(
    { ...EXAMPLE_MENU, modifier_groups: [{ ...group, external_id: id, name: null }] },
    { equalQuantities: 'refuse' },
  ) as { problems: MenuProblems };
  const nameless = problems.shown.find(({ pointer }) => pointer.endsWith('/name'));
  expect(nameless?.externalId).toBe(id);
});

test('twice the entities is twice the work', () => {
  const [small, large] = [readsOf(sizedMenu(2000, 1)), readsOf(sizedMenu(4000, 1))];
  expect(large / small).toBeGreaterThan(1.9);
  expect(large / small).toBeLessThan(2.1);
});

/** A chain of combos, each of which offers the next one and the last one. */
function nested(length: number) {
  return {
    ...EXAMPLE_MENU,
    items: [
      ...EXAMPLE_MENU.items,
      ...Array.from({ length }, (_, n) => ({
        external_id: `N${n}`,
        name: 'Combo',
        price: { value: '100' },
        data_modifier_groups: n + 1 < length ? [{ modifier_group_external_id: `N${n + 1}` }] : [],
      })),
    ],
    modifier_groups: [
      ...EXAMPLE_MENU.modifier_groups,
      ...Array.from({ length }, (_, n) => ({
        external_id: `N${n}`,
        name: 'Choose',
        quantity: { min_quantity: '0', max_quantity: '1' },
        data_options: [{ item_external_id: `N${n}` }, { item_external_id: `N${length - 1}` }],
      })),
    ],
  };
}

test('twice the nested groups is twice the work', () => {
  const ratio = readsOf(nested(2000)) / readsOf(nested(1000));
  expect(ratio).toBeGreaterThan(1.9);
  expect(ratio).toBeLessThan(2.1);
});

function problemsOf(body: MenuBody): MenuProblems {
  const verdict = checkMenu(body, { equalQuantities: 'refuse' });
  if (verdict.ok) throw new Error('The menu passed.');
  return verdict.problems;
}

function withDataItems(data_items: readonly unknown[]): MenuBody {
  return { ...EXAMPLE_MENU, categories: [{ ...EXAMPLE_MENU.categories[0], data_items }] };
}

describe('a hostile menu', () => {
  test('with a million equal problems is counted, and 50 of them are kept', () => {
    const problems = problemsOf(withDataItems(Array.from({ length: 1_000_000 }, () => 1)));
    expect(problems.count).toBe(1_000_000);
    expect(problems.shown).toHaveLength(50);
    expect(toSentences(problems)).toEqual(['The category data item must be an object.']);
  });

  test('with 300,000 different sentences is counted exactly', () => {
    const dangling = Array.from({ length: 300_000 }, (_, n) => ({
      item_external_id: `X${n % 299_999}`,
    }));
    const problems = problemsOf(withDataItems(dangling));
    expect(problems.sentences).toHaveLength(50);
    expect(problems.count).toBe(300_000);
    expect(toSentences(problems).at(-1)).toBe('There are 299949 more errors.');
  });

  test('with 300,000 periods on one day is no slower per period', () => {
    const periods = Array.from({ length: 300_000 }, () => ({ start: '00:00', end: '23:59' }));
    const menu = { ...EXAMPLE_MENU.menus[0], schedules: [{ day_of_week: 'monday', periods }] };
    expect(toSentences(problemsOf({ ...EXAMPLE_MENU, menus: [menu] }))).toEqual([
      'Collisions were found between the periods defined for the menu schedule.',
    ]);
  });
});
