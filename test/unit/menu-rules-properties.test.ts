import fc from 'fast-check';
import { quoteValue } from '../../src/platform/text/quote-value';
import type { MenuDocument } from '../../src/menus/menu';
import { applyChanges } from '../../src/menus/rules/example-changes';
import { checkMenu } from '../../src/menus/rules/check-menu';
import type { MenuProblem } from '../../src/menus/rules/menu-problems';
import { ALL_MENU_RULES } from '../../src/menus/rules/menu-rules';
import { AS_ORDERED, type MenuRule } from '../../src/menus/rules/rule';
import type { MenuBody } from '../../src/menus/rules/walk';
import { menuArbitrary } from '../support/menus';

function problemsOf(body: unknown, rule?: MenuRule): readonly MenuProblem[] {
  const verdict = checkMenu(body as MenuBody, { ...AS_ORDERED, ...rule?.onlyWith });
  return verdict.ok ? [] : verdict.problems.shown;
}

/** Follows a JSON Pointer. The ids in it are indexes and field names, so nothing is escaped. */
function valueAt(body: unknown, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((at, key) => Reflect.get(Object(at), key), body);
}

/** The value of the rule's `VALUE`, read from the broken menu. */
function shownValue(rule: MenuRule, body: unknown, pointer: string): string {
  if (rule.code === 'cycle') return 'CYCLE-GROUP';
  if (rule.code === 'not_before_end') return 'start(18:00) - end(09:00)';
  return quoteValue(String(valueAt(body, pointer)));
}

test('any valid menu passes', () => {
  fc.assert(fc.property(menuArbitrary, (menu) => expect(problemsOf(menu)).toEqual([])));
});

describe('any valid menu that breaks one rule gets exactly its sentence', () => {
  test.each(ALL_MENU_RULES.map((rule) => [`${rule.where}: ${rule.sentence}`, rule] as const))(
    '%s',
    (_, rule) => {
      expect(rule.example).not.toEqual([]);
      fc.assert(
        fc.property(menuArbitrary, fc.nat(), (menu, seed) => {
          const broken = applyChanges(menu, rule.example, (length) => seed % Math.max(length, 1));
          fc.pre(broken !== undefined);
          const problems = problemsOf(broken, rule);
          expect(problems).toHaveLength(1);
          const [problem] = problems;
          const place = `^${rule.where.replaceAll('*', String.raw`\d+`)}$`;
          expect(problem?.code).toBe(rule.code);
          expect(problem?.pointer).toMatch(new RegExp(place));
          const shown = shownValue(rule, broken, problem?.pointer ?? '');
          const sentence = rule.sentence.replace(/VALUE$/, () => shown);
          expect(problem?.sentence).toBe(sentence);
        }),
        { numRuns: 10 },
      );
    },
  );
});

/** All lists of entities in another order; the entities themselves are unchanged. */
const shuffledMenu = (menu: MenuDocument) =>
  fc.record({
    menus: shuffled(menu.menus),
    categories: shuffled(menu.categories),
    items: shuffled(menu.items),
    modifier_groups: shuffled(menu.modifier_groups),
  });

function shuffled<Entry>(entries: readonly Entry[]): fc.Arbitrary<Entry[]> {
  return fc.shuffledSubarray([...entries], { minLength: entries.length });
}

/** Other key order and unknown keys, all the way down. */
function redressed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(redressed);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, member]) => [key, redressed(member)]);
  return Object.fromEntries([['x_unknown', { deep: [1] }], ...entries.toReversed()]);
}

/** Without what was sent there, which may have unknown keys. */
function located(body: unknown) {
  return problemsOf(body).map(({ value: _value, ...problem }) => problem);
}

function sentences(body: unknown): string[] {
  return problemsOf(body).map(({ sentence }) => sentence);
}

describe('what no rule concerns changes nothing', () => {
  const brokenMenu = fc
    .tuple(menuArbitrary, fc.constantFrom(...ALL_MENU_RULES), fc.nat())
    .map(([menu, rule, seed]) =>
      applyChanges(menu, rule.example, (length) => seed % Math.max(length, 1)),
    )
    .filter((broken) => broken !== undefined) as fc.Arbitrary<MenuDocument>;

  test('the order of the entities', () => {
    const pairs = brokenMenu.chain((menu) => fc.tuple(fc.constant(menu), shuffledMenu(menu)));
    fc.assert(
      fc.property(pairs, ([menu, other]) => expect(sentences(other)).toEqual(sentences(menu))),
      { numRuns: 300 },
    );
  });

  test('the order of keys, and unknown keys', () => {
    fc.assert(
      fc.property(brokenMenu, (menu) => expect(located(redressed(menu))).toEqual(located(menu))),
      { numRuns: 300 },
    );
  });
});
