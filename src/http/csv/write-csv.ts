import type { Column } from './columns';

/** A byte order mark: spreadsheets would read UTF-8 as something else without it. */
export const BYTE_ORDER_MARK = '\uFEFF';

/** What spreadsheets take for a formula; with an apostrophe before it, it is text. */
const FORMULA = /^[=+\-@\t]/;

/** The names of the columns, with dots, as a line of CSV. */
export function writeHeader(columns: readonly Column[]): string {
  return writeLine(columns.map((column) => column.join('.')));
}

/** The entries of a list as lines of CSV (RFC 4180). */
export function writeRows(columns: readonly Column[], entries: readonly unknown[]): string {
  return entries
    .map((entry) => writeLine(columns.map((column) => textOf(valueAt(entry, column)))))
    .join('');
}

function writeLine(cells: readonly string[]): string {
  return `${cells.map(writeCell).join(',')}\r\n`;
}

function writeCell(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function valueAt(entry: unknown, column: Column): unknown {
  return column.reduce<unknown>(
    (value, name) =>
      typeof value === 'object' && value !== null
        ? (value as Readonly<Record<string, unknown>>)[name]
        : undefined,
    entry,
  );
}

/** A value as JSON has it, a text without its quotation marks; nothing for null. */
function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'string' ? value : JSON.stringify(value);
}
