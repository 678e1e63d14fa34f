import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROUTES } from '../../src/run/routes';
import { responsesOf } from '../../src/openapi/responses';
import { cell, ENDPOINTS, FROM_POS, RECEIVERS_WORDS, REPLAYED, UNKNOWN_PATH } from './cells';
import { requireGeneralForm, type SeenAnswer } from './general-form';

/** The variable with the folder in which the files of a run note their answers. */
export const CELLS_DIRECTORY = 'TEST_CELLS_DIRECTORY';

const noted = new Set<string>();

/** Notes which cells of the table an answer belongs to; throws if it breaks a general rule. */
export function recordAnswer(answer: SeenAnswer): void {
  if (answer.method === 'HEAD') return;
  requireGeneralForm(answer);
  const cells = cellsOf(answer);
  const directory = process.env[CELLS_DIRECTORY];
  if (!directory) return;
  for (const each of cells) {
    if (noted.has(each)) continue;
    noted.add(each);
    appendFileSync(join(directory, `${process.pid}.txt`), `${each.replaceAll('\n', ' ')}\n`);
  }
}

/** The statuses that the declaration of each endpoint has, its guards' included. */
const DECLARED = new Map(
  ROUTES.map((route) => [
    `${route.method.toUpperCase()} ${route.path}`,
    new Set(Object.keys(responsesOf(route))),
  ]),
);

/** Throws when an endpoint gives an answer that its declaration does not have. */
function requireDeclared(endpoint: string, status: number): void {
  const declared = DECLARED.get(endpoint);
  // 405 belongs to a path, and 404 also to an unknown one.
  if (!declared || status === 405 || status === 404 || declared.has('default')) return;
  if (!declared.has(String(status))) throw new Error(`${endpoint} declares no answer ${status}`);
}

function cellsOf(answer: SeenAnswer): string[] {
  const { method, status, headers } = answer;
  const replayed = headers.get('idempotency-replayed') === 'true';
  const endpoints = endpointsOf(answer);
  for (const endpoint of endpoints) requireDeclared(endpoint, status);
  return endpoints.flatMap((endpoint) => [
    ...sentencesOf(answer).map((sentence) => cell(endpoint, status, sentence)),
    ...(replayed ? [cell(endpoint, 'kept', REPLAYED)] : []),
  ]);

  function endpointsOf({ url }: SeenAnswer): readonly string[] {
    const path = new URL(url, 'http://any').pathname;
    if (!path.slice(1).split('/').every(isSegment)) return [UNKNOWN_PATH];
    const atPath = PATHS.find(({ pattern }) => pattern.test(path))?.endpoints;
    if (!atPath) return [UNKNOWN_PATH];
    // A wrong method belongs to no route, so it counts for all routes of the path.
    return status === 405 ? atPath : atPath.filter((each) => each.startsWith(`${method} `));
  }
}

/** Paths with fewer parameters first: in `/webhooks/deliveries/resend` nothing is an id. */
const PATHS = [...new Set(ENDPOINTS.map(({ endpoint }) => endpoint.split(' ')[1] ?? ''))]
  .toSorted((a, b) => a.split('{').length - b.split('{').length)
  .map((path) => ({
    pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    endpoints: ENDPOINTS.map((each) => each.endpoint).filter((each) => each.endsWith(` ${path}`)),
  }));

/** A segment that is too long for an id, or ambiguous, is not part of a known path. */
function isSegment(text: string): boolean {
  if (text.length > 255 || /%(?:2f|00)/i.test(text)) return false;
  try {
    return !['', '.', '..'].includes(decodeURIComponent(text));
  } catch {
    return false;
  }
}

interface AnyBody {
  readonly message?: string | readonly string[];
  readonly data?: unknown;
  readonly errors?: readonly { readonly pointer?: string; readonly detail: string }[];
}

function sentencesOf({ status, headers, text }: SeenAnswer): readonly string[] {
  if (headers.get('x-error-source') === 'pos') return [FROM_POS];
  const type = headers.get('content-type') ?? '';
  // A list, which is the same in JSON.
  if (type.includes('text/csv')) return ['Success.'];
  if (!type.includes('json')) return [status === 401 ? text : ''];
  const body = JSON.parse(text) as AnyBody;
  const isProblem = type.includes('problem');
  if (status === 422) {
    return isProblem ? problemFields(body) : fieldSentences(body as Record<string, string[]>);
  }
  const words = isProblem ? (body.errors ?? []).map(({ detail }) => detail) : body.message;
  if (typeof words !== 'object') return [words ?? ''];
  // Changes that failed have data as well, behind a heading of ours.
  const isReceivers = body.data !== undefined && body.data !== null && !headed(words);
  return isReceivers ? [RECEIVERS_WORDS] : ourWords(words);
}

function problemFields({ errors = [] }: AnyBody): string[] {
  return errors.map(
    ({ pointer = '', detail }) => `${pointer.slice(1).replaceAll('/', '.')}: ${detail}`,
  );
}

function fieldSentences(body: Readonly<Record<string, readonly string[]>>): string[] {
  return Object.entries(body).flatMap(([name, sentences]) =>
    sentences.map((sentence) => `${name}: ${sentence}`),
  );
}

const TOKEN_REFUSED = 'The delivery system did not accept the token.';
/** Behind these come the app's own reasons. */
const APPS_REASONS_FOLLOW = [
  'Could not upload menu to delivery system.',
  'The delivery system did not accept the whole menu.',
];
const CHANGE_FAILED = [
  'Could not change the menu in delivery system.',
  'Could not update availability in delivery system.',
  'Could not update the store in delivery system.',
];

function headed([first = '']: readonly string[]): boolean {
  return CHANGE_FAILED.includes(first);
}

function ourWords(sentences: readonly string[]): readonly string[] {
  const [first = ''] = sentences;
  if (headed(sentences)) return [first];
  if (!APPS_REASONS_FOLLOW.includes(first)) return sentences;
  return [first, ...sentences.filter((each) => each === TOKEN_REFUSED)];
}
