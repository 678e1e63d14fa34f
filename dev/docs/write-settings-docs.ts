import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SETTINGS } from '../../src/platform/config/settings';

export const SETTINGS_DOCS = join(__dirname, '..', '..', 'docs', 'settings.md');

const BEGIN =
  '<!-- settings: written by dev/docs/write-settings-docs.ts from src/platform/config/settings.ts -->';
const END = '<!-- end of settings -->';

/** The page with an updated table of settings, otherwise unchanged. Throws if the markers are missing. */
export function withSettings(page: string): string {
  const begin = page.indexOf(BEGIN);
  const end = page.indexOf(END);
  if (begin === -1 || end < begin) throw new Error(`The page has no ${BEGIN} … ${END}.`);
  return `${page.slice(0, begin + BEGIN.length)}\n\n${settingsTable()}\n\n${page.slice(end)}`;
}

interface DescribedSetting {
  readonly description: string;
  readonly allowed: string;
  readonly fallback?: string;
}

function settingsTable(): string {
  const rows = Object.entries<DescribedSetting>(SETTINGS).map(([name, each]) => [
    `\`${name}\``,
    defaultOf(each),
    each.allowed,
    each.description,
  ]);
  return alignedTable([['variable', 'default', 'allowed', 'meaning'], ...rows]);
}

function defaultOf({ fallback }: DescribedSetting): string {
  if (fallback === undefined) return '**required**';
  return fallback === '' ? '' : `\`${fallback}\``;
}

/** Columns padded to their widest cell, as the project's formatter leaves a table, so that the page passes its check. */
export function alignedTable(rows: readonly (readonly string[])[]): string {
  const escaped = rows.map((row) => row.map((cell) => cell.replaceAll('|', '\\|')));
  const widths = (escaped[0] ?? []).map((_, column) =>
    Math.max(3, ...escaped.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]): string =>
    `| ${widths.map((width, column) => (cells[column] ?? '').padEnd(width)).join(' | ')} |`;
  const [head = [], ...body] = escaped;
  const rule = widths.map((width) => '-'.repeat(width));
  return [head, rule, ...body].map(line).join('\n');
}

if (require.main === module) {
  writeFileSync(SETTINGS_DOCS, withSettings(readFileSync(SETTINGS_DOCS, 'utf8')));
}
