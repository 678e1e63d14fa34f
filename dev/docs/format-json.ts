const WIDTH = 100;

/**
 * JSON as the project's formatter leaves it, so that a generated page passes the format check: on one line
 * what fits, else one member a line; a list of several objects always one a line.
 */
export function formatJson(value: unknown, indent = '', room = WIDTH): string {
  const line = onOneLine(value);
  if (line.length <= room - indent.length && !mustBreak(value)) return line;
  if (typeof value !== 'object' || value === null) return line;
  const inner = `${indent}  `;
  const entries = Object.entries(value);
  const members = entries.map(([key, member], index) => {
    const name = Array.isArray(value) ? '' : `"${key}": `;
    const comma = index < entries.length - 1 ? 1 : 0;
    return inner + name + formatJson(member, inner, WIDTH - name.length - comma);
  });
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return `${open}\n${members.join(',\n')}\n${indent}${close}`;
}

function onOneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(onOneLine).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, member]) => `"${key}": ${onOneLine(member)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

/** In itself or further down. */
function mustBreak(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const members: unknown[] = Object.values(value);
  return (
    members.some(mustBreak) || (Array.isArray(value) && value.length > 1 && value.every(isRich))
  );
}

function isRich(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 1;
}
