import { firstBrokenRule } from '../../dev/sandbox/app-a/validate-menu';
import { validateMenu as validateForAppB } from '../../dev/sandbox/app-b/validate-menu';
import type { Json } from '../../dev/sandbox/app-c/menu-checks';
import { refusedGroups, taskRefusals } from '../../dev/sandbox/app-c/task-rules';
import { validateMenu as validateForAppC } from '../../dev/sandbox/app-c/validate-menu';
import { validateMenu as validateForAppD } from '../../dev/sandbox/app-d/validate-menu';
import { adapterOf } from '../../src/delivery-apps/registry';
import type { AppName, Loss, TransformInput } from '../../src/delivery-apps/types';
import type { MenuDocument } from '../../src/menus/menu';
import { type Random, randomFrom } from './random';
import { randomMenu } from './random-menus';
import type { DifferenceOptions } from './difference-work';
import { shownDifferences } from './shown-differences';

interface JudgedApp {
  readonly name: AppName;
  /** Most menus of a random document: one more than the app takes now and then. */
  readonly menus: number;
  readonly differences: DifferenceOptions;
  /** Settings of the transform, drawn for each menu. */
  readonly settings: (random: Random) => Omit<TransformInput, 'menu' | 'store'>;
  /** The objections of the app's simulator to a payload; empty = accepted. */
  readonly violations: (payload: unknown, input: TransformInput) => readonly unknown[];
}

export const JUDGED_APPS: readonly JudgedApp[] = [
  {
    name: 'app-a',
    menus: 3,
    differences: { ownPrices: true, bothEndsCount: true, freeUnits: 'one price' },
    settings: (random) => ({ priceUnit: random(2) ? 'hundredth' : 'lowest' }),
    violations: (payload) => [firstBrokenRule(payload, {})].filter((rule) => rule !== null),
  },
  {
    name: 'app-b',
    menus: 1,
    differences: { limitsOnItems: true, freeUnits: 'any' },
    settings: () => ({}),
    violations: validateForAppB,
  },
  {
    name: 'app-c',
    menus: 1,
    differences: { hoursOnItems: true, unreadDetails: (name) => name === 'alcohol' },
    settings: (random) => ({ levels: random(2) ? 1 : 6 }),
    violations: (payload, { levels = 1 }) => [
      ...[validateForAppC(payload as Json)].filter((refusal) => refusal !== undefined),
      ...taskRefusals(payload as Json, levels),
      ...refusedGroups(payload as Json),
    ],
  },
  {
    name: 'app-d',
    menus: 1,
    differences: {
      alwaysLimited: true,
      placePricesOnly: true,
      availableLate: true,
      unreadDetails: (name, isSold) => isSold && name === 'bundled_items',
    },
    settings: (random) => ({ appDPriceUnit: random(2) ? 'unit' : 'decimal' }),
    violations: (payload, { appDPriceUnit }) =>
      validateForAppD(payload, appDPriceUnit === 'decimal'),
  },
];

export interface JudgedMenu {
  readonly menu: MenuDocument;
  readonly verdict: 'accepted' | 'foretold' | 'refused';
  /** Refusals by the app without a blocking loss. */
  readonly violations: readonly unknown[];
  /** Differences that no loss names. */
  readonly unnamed: readonly string[];
  /** Losses that stand for no difference, as `code pointer`. */
  readonly idle: readonly string[];
}

/** They warn of something else than a difference (docs/api.md, "Preview a menu"). */
const EXEMPT: ReadonlySet<Loss['code']> = new Set([
  'id_unsafe',
  'image_not_checked',
  'unknown_field',
  'losses_omitted',
  'markup_in_text',
  'sold_for_nothing',
]);

/** Sends the random menu of a seed through an app's transform, its simulator and its reader. */
export function judgeRandomMenu(app: JudgedApp, seed: number): JudgedMenu {
  const random = randomFrom(seed);
  const input: TransformInput = {
    menu: randomMenu(random, { menus: random(20) ? app.menus : app.menus + 1 }),
    store: {
      appStoreId: '8b2e',
      currencyExponent: ([0, 2, 2, 3] as const)[random(4)] ?? 2,
      locale: random(4) ? 'es_mx' : 'es_co',
    },
    ...app.settings(random),
  };
  return judgeMenu(app, input);
}

export function judgeMenu(app: JudgedApp, input: TransformInput): JudgedMenu {
  const { menu } = input;
  const adapter = adapterOf(app.name);
  const { payload, losses } = adapter.transform(input);
  if (losses.some(({ severity }) => severity === 'block')) {
    return { menu, verdict: 'foretold', violations: [], unnamed: [], idle: [] };
  }
  const sent: unknown = JSON.parse(JSON.stringify(payload));
  const violations = app.violations(sent, input);
  if (violations.length > 0) {
    return { menu, verdict: 'refused', violations, unnamed: [], idle: [] };
  }
  const shown = adapter.readShown(sent, { ...input, sentMenus: menu.menus });
  const differences = shownDifferences(menu, shown, app.differences);
  const reported = new Set(losses.map(({ code, pointer }) => `${code} ${pointer}`));
  const named = new Set(differences.flatMap((difference) => difference.losses));
  return {
    menu,
    verdict: 'accepted',
    violations,
    unnamed: differences
      .filter((difference) => !difference.losses.some((loss) => reported.has(loss)))
      .map(({ what, losses: wanted }) => `${what} (${wanted.join(' or ') || 'by no loss'})`),
    idle: losses
      .filter(({ code }) => !EXEMPT.has(code))
      .map(({ code, pointer }) => `${code} ${pointer}`)
      .filter((loss) => !named.has(loss)),
  };
}
