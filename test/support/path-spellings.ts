/** Variations of a fixed segment of a path. */
const FIXED: readonly ((segment: string) => string)[] = [
  (text) => text.toUpperCase(),
  (text) => capitalised(text),
  (text) => `${text.slice(0, -1)}${text.slice(-1).toUpperCase()}`,
  (text) => `${hex(text[0])}${text.slice(1)}`,
  (text) => `${hex(text[0]).toLowerCase()}${text.slice(1)}`,
  (text) => text.split('').map(hex).join(''),
  // Letters that some ways of folding case take for i, s and k.
  (text) => text.replace('i', '%C4%B1'),
  (text) => text.replace('s', '%C5%BF'),
  (text) => text.replace('k', '%E2%84%AA'),
  (text) => text.replace('e', '%EF%BD%85'),
  (text) => `${text};`,
  (text) => `${text};a=b`,
  (text) => `;${text}`,
  (text) => `${text}%20`,
  (text) => `%20${text}`,
  (text) => `${text}%00`,
  (text) => `${text}%0a`,
  (text) => `${text}%09`,
  (text) => `${text}.`,
  (text) => `${text}*`,
  (text) => `${text}%2f`,
  (text) => `${text}%ad`,
  () => '.',
  () => '..',
  () => '',
];

/** Variations of an id that no handler may see. */
const PARAMETER: readonly ((segment: string) => string)[] = [
  () => '',
  () => '.',
  () => '..',
  () => '%2e',
  () => '%2E%2e',
  () => '.%2e',
  (text) => `${text}%2f`,
  (text) => `%2F${text}`,
  (text) => `..%2f${text}`,
  (text) => `${text}%00`,
  (text) => `%00${text}`,
  (text) => `${text}%`,
  (text) => `${text}%zz`,
  (text) => `${text}%ff`,
  (text) => `${text}%c0%af`,
  () => 'x'.repeat(256),
];

/** Replacements for a slash. */
const SLASHES = ['//', '/./', '/x/../', '/%2e/', '/%2e%2e/', '\\', '%2f', '%2F', '%5c', '/;/'];

/** Additions after a path. */
const ENDS = ['/', '//', '/.', '/..', '/%2e', '#', '#x', '\u00a0', '%00'];
/** The same, where the path does not end with an id: with these an id is another id. */
const FIXED_ENDS = ['%3f', '%23', '\\', '%20'];

/**
 * Other ways to write a path: a server that repairs or folds any of them would take it for the path itself. `template` has
 * its parameters in braces, `path` their values.
 */
export function spellingsOf(template: string, path: string): string[] {
  const names = template.split('/').slice(1);
  const segments = path.split('/').slice(1);
  const found = new Set<string>();
  for (const [index, segment] of segments.entries()) {
    const changes = names[index]?.startsWith('{') ? PARAMETER : FIXED;
    for (const change of changes) {
      found.add(`/${segments.with(index, change(segment)).join('/')}`);
    }
    for (const slash of SLASHES) {
      const before = segments.slice(0, index).map((each) => `/${each}`);
      const after = segments.slice(index + 1).map((each) => `/${each}`);
      found.add(`${before.join('')}${slash}${segment}${after.join('')}`);
    }
  }
  const ends = template.endsWith('}') ? ENDS : [...ENDS, ...FIXED_ENDS];
  for (const end of ends) found.add(`${path}${end}`);
  found.add(path.toUpperCase());
  found.add(`/api/..${path}`);
  found.add(path.slice(1));
  found.delete(path);
  return [...found];
}

function capitalised(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

function hex(character = ''): string {
  return `%${character.codePointAt(0)?.toString(16).toUpperCase()}`;
}
