import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Router from '@koa/router';
import type { RequestState } from '../state';
import { answerStatic, type StaticContent, staticContent } from '../static-answer';

/** Beside the code, where it is run from source as well as where it is compiled: `npm run build` copies them. */
const FOLDER = join(__dirname, '..', 'docs-page');

const MEDIA_TYPES = {
  'page.css': 'text/css; charset=utf-8',
  'icon.svg': 'image/svg+xml',
  'page.js': 'text/javascript; charset=utf-8',
  'element.js': 'text/javascript; charset=utf-8',
  'operation-card.js': 'text/javascript; charset=utf-8',
  'schema-view.js': 'text/javascript; charset=utf-8',
  'try-form.js': 'text/javascript; charset=utf-8',
  'curl-command.js': 'text/javascript; charset=utf-8',
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

/** A page to read the API's description on and to try it; everything on it comes from here. */
export function docsRoutes(): Router<RequestState> {
  const router = new Router<RequestState>();
  const page = load('page.html', 'text/html; charset=utf-8');
  router.get('/docs', (ctx) => {
    ctx.set(PAGE_HEADERS);
    answerStatic(ctx, page);
  });
  for (const [name, mediaType] of Object.entries(MEDIA_TYPES)) {
    const asset = load(name, mediaType);
    router.get(`/docs/${name}`, (ctx) => answerStatic(ctx, asset));
  }
  return router;
}

function load(name: string, mediaType: string): StaticContent {
  return staticContent(mediaType, readFileSync(join(FOLDER, name)));
}
