import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { prepareWire } from '../../src/delivery-apps/prepare-menu';
import { adapterOf } from '../../src/delivery-apps/registry';
import { APP_NAMES, type Loss, type ShippedAppName } from '../../src/delivery-apps/types';
import { findCountry } from '../../src/platform/validation/countries';
import { isOutOfSeason, type MenuDocument, offSaleIn, seasonsIn } from '../../src/menus/menu';
import { APP_STORE_IDS } from '../demo/demo-data';
import { changedMembers } from './changed-parts';
import { formatJson } from './format-json';
import { MENU_EXAMPLES } from './menu-examples';
import { type MenuExample, PLAIN_MENU } from './plain-menu';

export const MENU_EXAMPLES_DOCS = join(__dirname, '..', '..', 'docs', 'what-a-menu-can-say.md');

const INTRODUCTION = `# What a menu can say

<!-- Written by dev/docs/write-menu-examples-docs.ts from dev/docs/menu-examples.ts; change the examples and the transforms, not this page. -->

Each field of the menu form beside names, prices, choices and hours, with a short example and what each delivery app is
sent for it: only what differs from [the menu without it](#the-menu-without-it), and the losses that come with it
([all losses](api.md#one-upload)). The rules and their sentences are in [the rules of a menu](menu-rules.md), how to use
the fields in [the guide for integrators](integrator.md). \`null\` and an absent field are the same everywhere.
`;

/** The day on which the menus are pushed. */
const PUSHED_ON = '2026-11-28';

/** What an app gets of a menu, and what it loses. */
export interface ToldApp {
  readonly app: ShippedAppName;
  /** Null: the menu is not sent. */
  readonly payload: Readonly<Record<string, unknown>> | null;
  readonly losses: readonly Loss[];
}

/** A menu as the real adapter makes it for a store in Mexico, with what is off sale as a push writes it. */
export function tellApp(app: ShippedAppName, menu: MenuDocument): ToldApp {
  const country = findCountry('MX');
  if (!country) throw new Error('There is no Mexico.');
  const { currencyExponent, locale } = country;
  const store = { appStoreId: APP_STORE_IDS[app], currencyExponent, locale };
  const adapter = adapterOf(app);
  const { wire: payload, losses, itemIds } = prepareWire(adapter, { menu, store });
  if (losses.some(({ severity }) => severity === 'block')) return { app, payload: null, losses };
  const outOfSeason = seasonsIn(menu).filter((season) => isOutOfSeason(season, PUSHED_ON));
  const offSale = [
    ...offSaleIn(menu),
    ...outOfSeason.map(({ externalId }) => ({ externalId, until: null })),
  ];
  const off = offSale.flatMap(({ externalId, until }) =>
    (itemIds.get(externalId) ?? []).map((wireId) => ({
      wireId,
      available: false,
      until: until === null ? null : new Date(until),
    })),
  );
  const bytes = Buffer.from(JSON.stringify(payload));
  const { writeUnavailable } = adapter.availability;
  const pushed = off.length > 0 && writeUnavailable ? writeUnavailable(bytes, off) : bytes;
  return { app, payload: JSON.parse(pushed.toString('utf8')) as ToldApp['payload'], losses };
}

/** The page as it should be. */
export function menuExamplesMarkdown(): string {
  const plain = APP_NAMES.map((app) => tellApp(app, PLAIN_MENU));
  return [
    INTRODUCTION,
    ...MENU_EXAMPLES.flatMap(({ title, examples }) => [
      `## ${title}\n`,
      ...examples.map((example) => exampleMarkdown(example, plain)),
    ]),
    `## The menu without it\n\n${jsonBlock(PLAIN_MENU)}`,
  ].join('\n');
}

function exampleMarkdown({ title, about, change }: MenuExample, plain: readonly ToldApp[]): string {
  const menu = change(PLAIN_MENU);
  const fragment = changedMembers({ ...PLAIN_MENU }, { ...menu });
  return [
    `### ${title}\n`,
    `${about}\n`,
    jsonBlock(fragment),
    ...plain.map((without) => toldMarkdown(tellApp(without.app, menu), without)),
  ].join('\n');
}

function toldMarkdown({ app, payload, losses }: ToldApp, without: ToldApp): string {
  const name = `**App ${app.slice(-1).toUpperCase()}**`;
  const known = new Set(without.losses.map(({ code, pointer }) => `${code} ${pointer}`));
  const added = losses.filter(({ code, pointer }) => !known.has(`${code} ${pointer}`));
  const lost = added
    .map(({ code, severity, message }) => `- \`${code}\` (${severity}): ${message}\n`)
    .join('');
  const after = lost === '' ? '' : `\n${lost}`;
  if (payload === null) return `${name} is not sent the menu.\n${after}`;
  const fragment = changedMembers(without.payload ?? {}, payload);
  return Object.keys(fragment).length === 0
    ? `${name} is sent nothing of it.\n${after}`
    : `${name}\n\n${jsonBlock(fragment)}${after}`;
}

function jsonBlock(value: unknown): string {
  return `\`\`\`json\n${formatJson(value)}\n\`\`\`\n`;
}

if (require.main === module) writeFileSync(MENU_EXAMPLES_DOCS, menuExamplesMarkdown());
