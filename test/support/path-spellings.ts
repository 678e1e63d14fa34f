import type { RouteContract } from '../../src/http/route';
import { ROUTES } from '../../src/run/routes';
import { sendAsIs } from './declared-request';

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
  if (path !== '/') found.add(path.slice(1));
  found.delete(path);
  return [...found];
}

function capitalised(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

function hex(character = ''): string {
  return `%${character.codePointAt(0)?.toString(16).toUpperCase()}`;
}

/** Those of the spellings of a route's path that are not answered as unknown, without a token or with the owner's. */
export async function answeredSpellings(
  world: { readonly api: { readonly url: string }; readonly owner: { readonly token: string } },
  route: RouteContract,
  spellings: readonly string[],
): Promise<string[]> {
  const wrong: string[] = [];
  const look = async (path: string, index: number, headers: Record<string, string>) => {
    // Failed authentications are counted per address.
    const from = `127.0.${1 + (index % 200)}.${route.method === 'get' ? 1 : 2}`;
    const method = route.method.toUpperCase();
    const answer = await sendAsIs(world.api.url, { method, path, from, headers, body: undefined });
    // Node's parser has its own answer, without a body, to a target that is not one.
    const isRefused = answer.status === 400 && answer.text === '';
    const isUnknown = answer.status === 404 && /The resource was not found/.test(answer.text);
    // In `/webhooks/deliveries/RESEND` the last word is an id, which is another route's path and as closed.
    // A page of the console is closed by sending a stranger away.
    const isClosed = answer.status >= 400 || answer.status === 303;
    if (isRefused || isUnknown || (isClosed && belongsToAnother(path, route))) return;
    wrong.push(`${path}: ${answer.status} ${answer.text.slice(0, 100)}`);
  };
  const authorization = `Bearer ${world.owner.token}`;
  await Promise.all(
    spellings.flatMap((each, index) => [
      look(each, index, {}),
      look(each, index, { authorization }),
    ]),
  );
  return wrong;
}

/** Whether a path is that of another route, with other parameters. */
function belongsToAnother(path: string, { path: own }: RouteContract): boolean {
  return ROUTES.some(({ path: template }) => {
    const pattern = template.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+');
    return template !== own && new RegExp(`^${pattern}$`).test(path);
  });
}
