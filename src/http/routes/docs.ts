import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { noBody } from '../request-body';
import { noQuery, PUBLIC, route } from '../route';
import { answerStatic, type StaticContent, staticContent } from '../static-answer';

/** Beside the code, where it is run from source as well as where it is compiled: `npm run build` copies them. */
const FOLDER = join(__dirname, '..', 'docs-page');

/** What the page is made of; Swagger UI is a copy of the release that `swagger-ui/README.md` names. */
const FILES = [
  { name: 'icon.svg', mediaType: 'image/svg+xml', file: 'icon.svg' },
  { name: 'page.js', mediaType: 'text/javascript', file: 'page.js' },
  {
    name: 'swagger-ui-bundle.js',
    mediaType: 'text/javascript',
    file: 'swagger-ui/swagger-ui-bundle.js',
  },
  { name: 'swagger-ui.css', mediaType: 'text/css', file: 'swagger-ui/swagger-ui.css' },
] as const;

/**
 * The page may talk to this server and to nobody else, and runs only what this server sends: whatever an answer that it
 * shows contains, it is text, and the token of whoever tries something out stays here.
 */
const PAGE_HEADERS = {
  'Content-Security-Policy':
    // The style sheet of Swagger UI carries its small pictures within itself.
    "default-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'",
  'Referrer-Policy': 'no-referrer',
};

/** What all files of the page have in common. */
const PUBLIC_FILE = {
  method: 'get',
  parameters: {},
  access: PUBLIC,
  idempotency: 'none',
  query: noQuery,
  body: noBody,
} as const;

const page = read('page.html', 'text/html');

/** A page to read the API's description on and to try it; everything on it comes from here. */
export const DOCS_ROUTES = [
  route({
    ...PUBLIC_FILE,
    id: 'docs',
    path: '/docs',
    group: 'Service',
    summary: 'A page to read and try it',
    answers: [file('text/html', '<!doctype html>')],
    handle(_deps: object, { ctx }) {
      ctx.set(PAGE_HEADERS);
      answerStatic(ctx, page());
    },
  }),
  ...FILES.map(({ name, mediaType, file: source }) => {
    const content = read(source, mediaType);
    return route({
      ...PUBLIC_FILE,
      id: `docs/${name}`,
      path: `/docs/${name}`,
      group: null,
      summary: 'A part of the page',
      answers: [file(mediaType, '')],
      handle: (_deps: object, { ctx }) => answerStatic(ctx, content()),
    });
  }),
];

function file(mediaType: string, text: string) {
  return { status: 200, mediaType, schema: { type: 'string' }, examples: { text } } as const;
}

/** Read when it is first asked for: most processes never are, and reading and hashing 1.7 MB would be part of each start. */
function read(name: string, mediaType: string): () => StaticContent {
  const charset = mediaType.startsWith('text/') ? '; charset=utf-8' : '';
  let content: StaticContent | undefined;
  return () =>
    (content ??= staticContent(`${mediaType}${charset}`, readFileSync(join(FOLDER, name))));
}
