import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BoundRow } from '../../src/platform/admission/bound-row';
import { BOUNDS } from '../../src/platform/admission/bounds';
import { SETTINGS } from '../../src/platform/config/settings';
import { alignedTable } from './write-settings-docs';

export const BOUNDS_DOCS = join(__dirname, '..', '..', 'docs', 'bounds.md');

const BEGIN =
  '<!-- bounds: written by dev/docs/write-bounds-docs.ts from src/platform/admission/bounds.ts -->';
const END = '<!-- end of bounds -->';

/** The page with an updated table of bounds, otherwise unchanged. Throws if the markers are missing. */
export function withBounds(page: string): string {
  const begin = page.indexOf(BEGIN);
  const end = page.indexOf(END);
  if (begin === -1 || end < begin) throw new Error(`The page has no ${BEGIN} … ${END}.`);
  return `${page.slice(0, begin + BEGIN.length)}\n\n${boundsTable()}\n\n${page.slice(end)}`;
}

function boundsTable(): string {
  const rows = Object.entries<BoundRow>(BOUNDS).map(([name, row]) => [
    `\`${name}\``,
    row.what,
    row.process ?? 'API',
    `${row.key}: ${row.share ?? 'its own'}`,
    limitOf(row),
    row.answer,
  ]);
  const head = ['`bound`', 'what it limits', 'process', 'key: its share', 'default', 'past it'];
  return alignedTable([head, ...rows]);
}

function limitOf({ limit, setting, unit = 'requests' }: BoundRow): string {
  if (setting === undefined) return `${asText(limit ?? 0)} ${unit}`;
  const { fallback } = SETTINGS[setting] as { readonly fallback?: string };
  return `\`${setting}\`: ${fallback ?? ''} ${unit === 'bytes' ? '' : unit}`.trimEnd();
}

function asText(limit: number): string {
  return limit.toLocaleString('en-US');
}

if (require.main === module) {
  writeFileSync(BOUNDS_DOCS, withBounds(readFileSync(BOUNDS_DOCS, 'utf8')));
}
