/** Licences that allow use and shipping and require only naming the authors. */
const ALLOWED = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC-BY-4.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'Python-2.0',
  'Unlicense',
]);
/** Used to develop alone, unchanged, and never shipped. */
const ALLOWED_TO_DEVELOP = new Set([...ALLOWED, 'MPL-2.0']);
/** Those whose package.json says nothing, and what their own LICENSE file is. */
const SAID_ELSEWHERE: Readonly<Record<string, string>> = { 'unionfs@4.6.0': 'Unlicense' };

export interface Lockfile {
  readonly packages: Readonly<Record<string, Locked>>;
}

interface Locked {
  readonly license?: string;
  readonly version: string;
  readonly dev?: boolean;
  readonly link?: boolean;
}

/** How many packages of a lockfile were looked at, and those whose licence is not allowed, as `name@version: licence`. */
export function judgeLicences(lock: Lockfile): { looked: number; refused: readonly string[] } {
  // Without our own: the project, its workspaces and the links to those.
  const packages = Object.entries(lock.packages).filter(
    ([path, { link }]) => path.includes('node_modules/') && !link,
  );
  const refused = packages.flatMap(([path, { license, version, dev }]) => {
    const name = `${path.split('node_modules/').at(-1)}@${version}`;
    const licence = license ?? SAID_ELSEWHERE[name] ?? 'none';
    return isAllowed(licence, dev ? ALLOWED_TO_DEVELOP : ALLOWED) ? [] : [`${name}: ${licence}`];
  });
  return { looked: packages.length, refused };
}

/** Whether the expression is allowed: all of `A AND B`, one of `A OR B`. */
function isAllowed(expression: string, allowed: ReadonlySet<string>): boolean {
  const plain = expression.replace(/^\((.*)\)$/, '$1');
  if (plain.includes(' AND '))
    return plain.split(' AND ').every((each) => isAllowed(each, allowed));
  return plain.split(' OR ').some((each) => allowed.has(each));
}
