import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { applyChanges } from '../../src/menus/rules/example-changes';
import { checkMenu } from '../../src/menus/rules/check-menu';
import { EXAMPLE_MENU } from '../../src/menus/rules/example-menu';
import { ALL_MENU_RULES, MENU_RULES } from '../../src/menus/rules/menu-rules';
import { AS_ORDERED, type Change, type MenuRule } from '../../src/menus/rules/rule';
import type { MenuBody } from '../../src/menus/rules/walk';
import { SHOWN_PROBLEMS } from '../../src/platform/validation/shown-problems';
import { formatJson } from './format-json';

export const MENU_RULES_DOCS = join(__dirname, '..', '..', 'docs', 'menu-rules.md');

const INTRODUCTION = `# The rules of a menu

<!-- Written by dev/docs/write-menu-rules-docs.ts from src/menus/rules/menu-rules.ts; change the table, not this page. -->

An upload that breaks any of these rules is answered with 409 and sent to no app. All broken rules are
found, in document order: menus, categories, items, modifier groups, then cycles; within an entity in the
order below. A value gives one sentence, that of its first failing check; in a schedule's period the absent
times come first, then the wrong types, then the wrong formats. \`message\` has each sentence once. A client
that accepts \`application/problem+json\` gets every occurrence with its code, its JSON Pointer, the value and,
where a form is wanted, a hint ([errors](api.md#errors)). Either list has ${SHOWN_PROBLEMS} entries at most, and the number of the others.

An empty string counts as absent, and so does \`null\`. A name, an identifier or an external id that has no visible
character (white space, Unicode's \`Default_Ignorable_Code_Point\` and \`Cf\`) counts as absent too. Prices are 1–12 digits with two implied decimals,
quantities 1–12 digits, both as strings. \`VALUE\` stands for what was sent. A price that is \`free\` needs no value, and
a quantity that has \`exactly\` neither a min nor a max ([free options, and exactly one](integrator.md#free-options-and-exactly-one)).
[What a menu can say](what-a-menu-can-say.md) shows what each delivery app makes of these fields, and of an item's details.
With \`MENU_EQUAL_QUANTITIES=accept\` a max quantity may equal its min; with \`MENU_ZERO_PRICES=accept\` an item, a
data item and an option may cost "0".
Unknown keys break no rule: no app gets them, which the loss \`unknown_field\` says
([losses](api.md#one-upload)).

Each example is a change to the menu at the end of this page: the entity with its id and the field in
question, all else as it is there. Long values are cut, with their real length in brackets.
`;

/** The page as it should be. */
export function menuRulesMarkdown(): string {
  const sections = Object.entries(MENU_RULES).map(([entity, rules]) => {
    const inSection = new Set<unknown>(leaves(rules));
    const entries = ALL_MENU_RULES.filter((rule) => inSection.has(rule)).map(describeRule);
    return `## ${TITLES[entity] ?? entity}\n\n${entries.join('\n')}`;
  });
  const menu = `## The menu of the examples\n\n${fenced(EXAMPLE_MENU)}`;
  return [INTRODUCTION, ...sections, menu].join('\n');
}

const TITLES: Readonly<Record<string, string>> = {
  menu: 'Menus',
  category: 'Categories',
  item: 'Items',
  modifierGroup: 'Modifier groups',
};

function leaves(branch: unknown): unknown[] {
  if (typeof branch !== 'object' || branch === null) return [];
  return 'sentence' in branch ? [branch] : Object.values(branch).flatMap(leaves);
}

function describeRule(rule: MenuRule): string {
  const broken = applyChanges(EXAMPLE_MENU, rule.example) as MenuBody;
  const verdict = checkMenu(broken, { ...AS_ORDERED, ...rule.onlyWith });
  const problem = verdict.ok ? undefined : verdict.problems.shown[0];
  if (problem === undefined) throw new Error(`The example of "${rule.sentence}" breaks no rule.`);
  const only = rule.onlyWith?.zeroPrices
    ? 'Only with `MENU_ZERO_PRICES=accept`, in place of the sentence before: '
    : '';
  return `### ${rule.sentence}

${only}\`${rule.code}\` at \`${rule.where}\`; in the example, \`${problem.pointer}\`.

${fenced(shown(broken, rule.example))}`;
}

/** The entries that the changes touched, each with its id and the fields in question. */
function shown(broken: MenuBody, changes: readonly Change[]): Record<string, unknown[]> {
  const fields = new Map<string, Map<object, Set<string>>>();
  for (const path of changes.flatMap((change) => touchedPaths(change, changes.length === 1))) {
    const [, list = '', index, field = ''] = path.split('/');
    const entries = fields.get(list) ?? new Map<object, Set<string>>();
    const entry: object = Reflect.get(broken, list).at(index === '-' ? -1 : 0);
    fields.set(list, entries.set(entry, (entries.get(entry) ?? new Set()).add(field)));
  }
  return Object.fromEntries(
    [...fields].map(([list, entries]) => [
      list,
      [...entries].map(([entry, names]) => pick(entry, names)),
    ]),
  );
}

/** A repetition is only visible beside its original. */
function touchedPaths(change: Change, alone: boolean): string[] {
  if (change.op !== 'copy') return [change.path];
  return alone ? [`${change.from}/name`, `${change.path}/name`] : [];
}

/** An entry that a change made as a whole (no field is named) is shown as a whole. */
function pick(entry: object, fields: ReadonlySet<string>): unknown {
  if (fields.has('')) return entry;
  const kept = Object.entries(entry).filter(([name]) => IDS.has(name) || fields.has(name));
  return Object.fromEntries(kept);
}

const IDS: ReadonlySet<string> = new Set(['identifier', 'external_id']);

function fenced(value: unknown): string {
  return `\`\`\`json\n${formatJson(shorten(value))}\n\`\`\`\n`;
}

function shorten(value: unknown): unknown {
  if (typeof value === 'string' && value.length > 60) {
    return `${value.slice(0, 20)}… (${value.length} characters)`;
  }
  if (Array.isArray(value)) {
    const entries: unknown[] = value.map(shorten);
    return entries.length > 60 ? [entries[0], `… (${entries.length} entries)`] : entries;
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, shorten(member)]));
}

if (require.main === module) writeFileSync(MENU_RULES_DOCS, menuRulesMarkdown());
