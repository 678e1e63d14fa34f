/** The minimum space between two columns. */
const GAP = '  ';

/**
 * The result of a command for people: a list as a table, a single thing as one line per field. Null is `-`. Control
 * characters are escaped, because names come from outside and could control the terminal.
 */
export function resultText(result: unknown): string {
  if (Array.isArray(result)) return listText(result);
  if (!isRecord(result)) return `${cellText(result)}\n`;
  return table(Object.entries(result).map(([name, value]) => [name, cellText(value)]));
}

function listText(list: readonly unknown[]): string {
  if (list.length === 0) return 'None.\n';
  const records = list.map((each) => (isRecord(each) ? each : { value: each }));
  const names = [...new Set(records.flatMap((each) => Object.keys(each)))];
  return table([names, ...records.map((each) => names.map((name) => cellText(each[name])))]);
}

function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join(GAP)
      .trimEnd(),
  );
  return `${lines.join('\n')}\n`;
}

function cellText(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map(cellText).join(', ') || '-';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (each) => {
    const code = each.codePointAt(0) ?? 0;
    return `\\u{${code.toString(16)}}`;
  });
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !(value instanceof Date);
}
