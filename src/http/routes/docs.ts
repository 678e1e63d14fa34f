import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { noBody } from '../body/request-body';
import { noQuery, PUBLIC, route } from '../route';
import { answerStatic, type StaticContent, staticContent, UNCHANGED } from '../static-answer';

/** Next to the code, both in source and in the build: `npm run build` copies it. */
const FOLDER = join(__dirname, '..', 'docs-page');

/** The files of the page; `swagger-ui/README.md` names the release of Swagger UI. */
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
 * The page may only talk to this server and only run this server's code. So an answer that it shows is only ever
 * text, and a user's token stays here.
 */
const PAGE_HEADERS = {
  'Content-Security-Policy':
    // The style sheet of Swagger UI embeds its small images.
    "default-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'",
  'Referrer-Policy': 'no-referrer',
};

/** Common to all files of the page. */
const PUBLIC_FILE = {
  method: 'get',
  parameters: {},
  access: PUBLIC,
  idempotency: 'none',
  query: noQuery,
  body: noBody,
} as const;

const page = read('page.html', 'text/html');

/** Whoever opens the address of the service in a browser. */
const ROOT = route({
  ...PUBLIC_FILE,
  id: 'root',
  path: '/',
  group: null,
  summary: 'Leads to the page that shows the API',
  answers: [{ status: 303, schema: { type: 'string' }, examples: { empty: '' } }],
  handle(_deps: object, { ctx }) {
    ctx.status = 303;
    ctx.set('Location', '/docs');
  },
});

/** A page to read the API's description and to try the API; it loads nothing from elsewhere. */
export const DOCS_ROUTES = [
  ROOT,
  route({
    ...PUBLIC_FILE,
    id: 'docs',
    path: '/docs',
    group: 'Service',
    summary: 'The page that shows it',
    answers: [file('text/html', '<!doctype html>'), UNCHANGED],
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
      answers: [file(mediaType, ''), UNCHANGED],
      handle: (_deps: object, { ctx }) => answerStatic(ctx, content()),
    });
  }),
];

function file(mediaType: string, text: string) {
  return {
    status: 200,
    mediaType,
    schema: { type: 'string' },
    examples: { text },
    headers: ['ETag'],
  } as const;
}

/** Read on first use: most processes never need it, and reading and hashing 1.7 MB would slow each start. */
function read(name: string, mediaType: string): () => StaticContent {
  const charset = mediaType.startsWith('text/') ? '; charset=utf-8' : '';
  let content: StaticContent | undefined;
  return () =>
    (content ??= staticContent(`${mediaType}${charset}`, readFileSync(join(FOLDER, name))));
}
