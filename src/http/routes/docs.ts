import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { noBody } from '../request-body';
import { noQuery, PUBLIC, route } from '../route';
import { answerStatic, type StaticContent, staticContent } from '../static-answer';

/** Beside the code, where it is run from source as well as where it is compiled: `npm run build` copies them. */
const FOLDER = join(__dirname, '..', 'docs-page');

const MEDIA_TYPES = {
  'page.css': 'text/css',
  'icon.svg': 'image/svg+xml',
  'page.js': 'text/javascript',
  'element.js': 'text/javascript',
  'operation-card.js': 'text/javascript',
  'schema-view.js': 'text/javascript',
  'try-form.js': 'text/javascript',
  'curl-command.js': 'text/javascript',
} as const;

/**
 * The page may talk to this server and to nobody else, and runs only what this server sends: whatever an answer that it
 * shows contains, it is text, and the token of whoever tries something out stays here.
 */
const PAGE_HEADERS = {
  'Content-Security-Policy':
    "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'",
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

const page = load('page.html', 'text/html');

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
      answerStatic(ctx, page);
    },
  }),
  ...Object.entries(MEDIA_TYPES).map(([name, mediaType]) => {
    const content = load(name, mediaType);
    return route({
      ...PUBLIC_FILE,
      id: `docs/${name}`,
      path: `/docs/${name}`,
      group: null,
      summary: 'A part of the page',
      answers: [file(mediaType, '')],
      handle: (_deps: object, { ctx }) => answerStatic(ctx, content),
    });
  }),
];

function file(mediaType: string, text: string) {
  return { status: 200, mediaType, schema: { type: 'string' }, examples: { text } } as const;
}

function load(name: string, mediaType: string): StaticContent {
  const charset = mediaType.startsWith('text/') ? '; charset=utf-8' : '';
  return staticContent(`${mediaType}${charset}`, readFileSync(join(FOLDER, name)));
}
